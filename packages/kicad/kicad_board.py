"""Draws a circuit as a board, by KiCad's own Python.

It is called with a circuit's JSON, the netlist that KiCad made of its schematic, and where the
board goes. The netlist names the nets of pins that are joined to nothing, and which symbol a part
belongs to.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pcbnew

SIDES = (pcbnew.F_Cu, pcbnew.B_Cu)
VIA_MM, HOLE_MM = 0.6, 0.3
EDGE_MM = 0.1
AWAY_MM = 50
"""How far a board lies off the corner of KiCad's sheet."""

POUR_MM = 0.5
"""How far the ground stays back behind the board's edge."""

NAME_MM, NAME_LINE_MM = 0.8, 0.12
"""Height of the letters of parts' names, and the width of their lines."""

BESIDE_MM, STEP_MM, MOST_STEPS = 0.25, 0.5, 12
"""What a name keeps off from all else that is printed or soldered, and where it is tried: in such
steps around its part."""


def main(circuit_file: str, netlist_file: str, out: str) -> None:
    """Write the board."""
    pcbnew.KIID.SeedGenerator(1)
    circuit = json.loads(Path(circuit_file).read_text(encoding="utf-8"))
    netlist = ElementTree.parse(netlist_file).getroot()
    folder = Path(out).parent
    board = pcbnew.NewBoard(out)
    drawn = BoardDrawing(board, circuit, folder)
    drawn.place(netlist)
    drawn.outline()
    for track in circuit["tracks"]:
        drawn.lay(*track)
    drawn.name()
    for side in SIDES:
        drawn.pour(side)
    pcbnew.SaveBoard(out, board)
    # A board that was never read from a file cannot be filled.
    board = pcbnew.LoadBoard(out)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(out, board)


class BoardDrawing:
    """A board that is being drawn."""

    def __init__(self, board: Any, circuit: dict[str, Any], folder: Path) -> None:
        self.board = board
        self.circuit = circuit
        self.folder = folder
        self.nets: dict[str, Any] = {}
        self.parts: dict[str, Any] = {}

    def at(self, x: float, y: float) -> Any:
        """Return a place as KiCad has it, whose y runs down."""
        left, _, _, top = self.circuit["edges"]
        return pcbnew.VECTOR2I_MM(x - left + AWAY_MM, top - y + AWAY_MM)

    def net(self, name: str) -> Any:
        if name not in self.nets:
            self.nets[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self.nets[name])
        return self.nets[name]

    def place(self, netlist: Any) -> None:
        """Place all parts, and join their pads to nets."""
        symbols = {each.get("ref"): each for each in netlist.find("components")}
        lone = {
            (node.get("ref"), node.get("pin")): net.get("name")
            for net in netlist.find("nets")
            for node in net
            if net.get("name").startswith("unconnected-")
        }
        for ref, _, footprint, value, pins, x, y, turn, below in self.circuit["parts"]:
            nick, name = footprint.split(":")
            part = pcbnew.FootprintLoad(str(self.folder / f"{nick}.pretty"), name)
            part.SetFPID(pcbnew.LIB_ID(nick, name))
            part.SetReference(ref)
            part.SetValue(value)
            if ref in symbols:
                part.SetPath(pcbnew.KIID_PATH("/" + symbols[ref].find("tstamps").text))
            self.board.Add(part)
            part.SetPosition(self.at(x, y))
            if below:
                part.Flip(part.GetPosition(), pcbnew.FLIP_DIRECTION_TOP_BOTTOM)
            part.Rotate(part.GetPosition(), pcbnew.EDA_ANGLE(turn, pcbnew.DEGREES_T))
            for pad in part.Pads():
                number = pad.GetNumber()
                net = pins.get(number) or lone.get((ref, number))
                if net:
                    pad.SetNet(self.net(net))
            self.parts[ref] = part

    def outline(self) -> None:
        """Draw the board's edge, and what is printed on it."""
        left, bottom, right, top = self.circuit["edges"]
        edge = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_RECT)
        edge.SetStart(self.at(left, top))
        edge.SetEnd(self.at(right, bottom))
        edge.SetLayer(pcbnew.Edge_Cuts)
        edge.SetWidth(pcbnew.FromMM(EDGE_MM))
        self.board.Add(edge)
        for words, x, y, size, below, rule in self.circuit["labels"]:
            if rule:
                self.rule(x, y - size, rule, below)
            text = pcbnew.PCB_TEXT(self.board)
            text.SetText(words)
            text.SetPosition(self.at(x, y))
            text.SetTextSize(pcbnew.VECTOR2I_MM(size, size))
            text.SetTextThickness(pcbnew.FromMM(size * 0.15))
            text.SetLayer(pcbnew.B_SilkS if below else pcbnew.F_SilkS)
            text.SetMirrored(below)
            self.board.Add(text)

    def rule(self, x: float, y: float, long: float, below: bool) -> None:
        """Print a line of a known length, with an end at each side."""
        left, right = x - long / 2, x + long / 2
        ends = [
            (left, y, right, y),
            (left, y - 0.8, left, y + 0.8),
            (right, y - 0.8, right, y + 0.8),
        ]
        for x0, y0, x1, y1 in ends:
            line = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_SEGMENT)
            line.SetStart(self.at(x0, y0))
            line.SetEnd(self.at(x1, y1))
            line.SetLayer(pcbnew.B_SilkS if below else pcbnew.F_SilkS)
            line.SetWidth(pcbnew.FromMM(NAME_LINE_MM))
            self.board.Add(line)

    def name(self) -> None:
        """Print each part's name at the free place nearest to it, on its own side."""
        left, bottom, right, top = self.circuit["edges"]
        corner, other = self.at(left + 0.5, top - 0.5), self.at(right - 0.5, bottom + 0.5)
        for below, silk in ((False, pcbnew.F_SilkS), (True, pcbnew.B_SilkS)):
            copper = SIDES[below]
            taken = [pad.GetBoundingBox() for pad in self.board.GetPads() if pad.IsOnLayer(copper)]
            for part in self.parts.values():
                drawn = [each for each in part.GraphicalItems() if each.GetLayer() == silk]
                taken += [each.GetBoundingBox() for each in drawn]
            drawn = [each for each in self.board.GetDrawings() if each.GetLayer() == silk]
            taken += [each.GetBoundingBox() for each in drawn]
            for ref, *_, is_below in self.circuit["parts"]:
                if is_below != below:
                    continue
                text = self.parts[ref].Reference()
                text.SetLayer(pcbnew.B_Fab if below else pcbnew.F_Fab)
                if ref.startswith("H"):
                    continue
                text.SetTextSize(pcbnew.VECTOR2I_MM(NAME_MM, NAME_MM))
                text.SetTextThickness(pcbnew.FromMM(NAME_LINE_MM))
                text.SetTextAngle(pcbnew.EDA_ANGLE(0, pcbnew.DEGREES_T))
                text.SetMirrored(below)
                for spot in self.around(self.parts[ref]):
                    text.SetPosition(spot)
                    box = text.GetBoundingBox()
                    box.Inflate(pcbnew.FromMM(BESIDE_MM))
                    within = (
                        corner.x < box.GetLeft()
                        and box.GetRight() < other.x
                        and corner.y < box.GetTop()
                        and box.GetBottom() < other.y
                    )
                    if within and not any(box.Intersects(each) for each in taken):
                        text.SetLayer(silk)
                        taken.append(text.GetBoundingBox())
                        break
                else:
                    raise ValueError(f"{ref}: there is no room for its name")

    def around(self, part: Any) -> Any:
        """Return places around a part, the nearest to its box first."""
        box = part.GetBoundingBox(False)
        step, half = pcbnew.FromMM(STEP_MM), (box.GetWidth() // 2, box.GetHeight() // 2)
        middle = box.Centre()
        spots = []
        for over in range(1, MOST_STEPS):
            for along in range(-MOST_STEPS, MOST_STEPS + 1):
                # Rather further away than beside its part, where a neighbour's would be.
                far = over + 2 * abs(along)
                for way in (-1, 1):
                    spots.append((far, along * step, way * (half[1] + over * step)))
                    spots.append((far, way * (half[0] + over * step), along * step))
        spots.sort()
        return [pcbnew.VECTOR2I(int(middle.x + x), int(middle.y + y)) for _, x, y in spots]

    def lay(self, net: str, width: float, path: str) -> None:
        """Lay one track, word by word."""
        words = path.split()
        side = 0
        if words[0] == "below":
            side, words = 1, words[1:]
        here = self.point(words[0], None)
        for word in words[1:]:
            if word == "via":
                self.via(net, here)
                side = 1 - side
                continue
            there = self.point(word, here)
            if there != here:
                self.segment(net, width, side, here, there)
            here = there

    def point(self, word: str, here: Any) -> Any:
        if match := re.fullmatch(r"([A-Z]+\d+)\.(\w+)", word):
            return self.parts[match[1]].FindPadByNumber(match[2]).GetPosition()
        if word.startswith("x="):
            return pcbnew.VECTOR2I(self.at(float(word[2:]), 0).x, here.y)
        if word.startswith("y="):
            return pcbnew.VECTOR2I(here.x, self.at(0, float(word[2:])).y)
        return self.at(*map(float, word.split(",")))

    def segment(self, net: str, width: float, side: int, here: Any, there: Any) -> None:
        track = pcbnew.PCB_TRACK(self.board)
        track.SetStart(here)
        track.SetEnd(there)
        track.SetWidth(pcbnew.FromMM(width))
        track.SetLayer(SIDES[side])
        track.SetNet(self.net(net))
        self.board.Add(track)

    def via(self, net: str, here: Any) -> None:
        via = pcbnew.PCB_VIA(self.board)
        via.SetPosition(here)
        via.SetWidth(pcbnew.F_Cu, pcbnew.FromMM(VIA_MM))
        via.SetDrill(pcbnew.FromMM(HOLE_MM))
        via.SetNet(self.net(net))
        self.board.Add(via)

    def pour(self, side: int) -> None:
        """Lay ground over one side."""
        left, bottom, right, top = self.circuit["edges"]
        zone = pcbnew.ZONE(self.board)
        zone.SetLayer(side)
        zone.SetNet(self.net("GND"))
        corners = pcbnew.SHAPE_LINE_CHAIN()
        for x, y in (
            (left + POUR_MM, top - POUR_MM),
            (right - POUR_MM, top - POUR_MM),
            (right - POUR_MM, bottom + POUR_MM),
            (left + POUR_MM, bottom + POUR_MM),
        ):
            corners.Append(self.at(x, y))
        corners.SetClosed(True)
        zone.AddPolygon(corners)
        zone.SetLocalClearance(pcbnew.FromMM(0.25))
        zone.SetMinThickness(pcbnew.FromMM(0.25))
        zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.5))
        self.board.Add(zone)


if __name__ == "__main__":
    main(*sys.argv[1:])
