"""Pictures of one place from one eye in which a few things move and lamps change.

Light adds up. So what stands still is painted once, dark, with the share that each direction of
light has in it; what a lamp adds is reckoned once for each lamp. A picture then costs only what
moves: it is painted into the parts that it covers, and takes from all others the light in whose way
it is. Things move without turning, so that each takes its shadows along.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import cos, sin
from typing import Final, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from docs.glow import chamber_of, spread
from hardware.build import Build, Spot
from hardware.ports import RGB
from rules import SQUARES, Square

from .raster import FAR, Floats, Whole, depths_of, nearest, numbers_of
from .render import (
    SAMPLES,
    Bands,
    Camera,
    Colour,
    Light,
    Painted,
    Scene,
    even,
    is_open,
    lights_on,
    linear,
    on_ground,
    on_screen,
    scene_of,
    screen_colours,
    shares_at,
    sight_of,
)
from .scenery import INK_MM

Place: TypeAlias = tuple[float, float, float]

ROOM: Final = np.array((0.40, 0.33, 0.28), np.float32)
"""The light of a room in the evening, as a share of a picture's usual light."""

BRIGHT: Final = 3.2
"""A lamp's light where its square shines most, by the same measure."""

_SPREAD: Final = 0.12
"""How much of its light a lit square casts on what stands near it."""

_DAZZLE: Final = 0.75
"""Of the room's light on a lit square so much is lost to the eye."""

_BOUNCE, _SHINE, _AROUND_MM, _MAP_PER_MM = 0.06, 0.4, 95.0, 5
_LOW: Final = 0.15
"""A light that comes in lower casts shadows that nobody can make out."""

_TURNS: Final = SAMPLES * SAMPLES


class Body:
    """A thing that moves, and its shadows."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @cached_property
    def lights(self) -> list[Light]:
        """What each light sees of it first."""
        return lights_on(self.scene, 320)

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The lowest and the highest of its coordinates."""
        return self.scene.points.min(axis=0), self.scene.points.max(axis=0)


class Moved(NamedTuple):
    """A thing, and how far it is from where it was made."""

    body: Body
    by: Place


class _Surface(NamedTuple):
    """What is seen at some samples, one row each."""

    places: Bands
    normals: Bands
    colours: Bands
    glosses: Bands
    eyes: Bands


class _Lamp(NamedTuple):
    """What a lamp adds to some samples: the square's own light, and that on what stands there."""

    rows: slice
    columns: slice
    shine: Bands
    fallen: Bands


class Stage:
    """A table with what stands still on it, seen from one place."""

    def __init__(
        self,
        build: Build,
        things: Sequence[Painted],
        camera: Camera,
        ground: Colour,
        aim: Spot = (0.0, 0.0),
    ) -> None:
        """Paint it dark; `aim` is how far from its middle the eye looks."""
        self._build, self._ground = build, ground
        self._size = camera.width, camera.height
        self._scene = scene_of(things)
        wide, high = camera.width * SAMPLES, camera.height * SAMPLES
        sight = sight_of(self._scene, camera, wide, high)
        self._sight = sight._replace(origin=sight.origin + np.array((*aim, 0.0)))
        screen = on_screen(self._scene.points, self._sight, wide, high)
        self._range = _range(screen[:, 2])
        keys = self._keys(screen, self._scene)
        self._depths = np.where(keys == FAR, np.inf, depths_of(keys))
        self._lights = lights_on(self._scene, 700)
        self._lamps: dict[Square, _Lamp] = {}
        self._paint(screen, keys)
        self._shares: list[list[Bands]] = [[] for _ in range(_TURNS)]
        self._planes: list[Bands] = []
        self._wholes: list[Bands] = []
        self._ask()

    def picture(
        self, lamps: Mapping[Square, RGB], moved: Sequence[Moved] = ()
    ) -> NDArray[np.uint8]:
        """Return it as rows of pixels of blue, green and red, with these lamps and things."""
        light = self._dark.copy()
        if moved:
            kept = self._kept(moved)
            rows, columns = (np.flatnonzero((kept < 0.998).any(axis=each)) for each in (1, 0))
            if len(rows):
                near = kept[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
                large = near.repeat(SAMPLES, axis=0).repeat(SAMPLES, axis=1)
                top, left = SAMPLES * rows[0], SAMPLES * columns[0]
                high, wide = large.shape
                light[top : top + high, left : left + wide] *= large[..., None]
        glow = np.zeros_like(light)
        lit = {square: _shining(colour) for square, colour in lamps.items() if any(colour)}
        for square, own in lit.items():
            lamp = self._lamp(square)
            shine = lamp.shine * own
            glow[lamp.rows, lamp.columns] += shine
            part = light[lamp.rows, lamp.columns]
            part *= 1 - _DAZZLE * np.minimum(1, float(own.max()) * lamp.shine)
            part += lamp.fallen * own + shine
        if moved:
            self._put(light, glow, moved, lit)
        small = cv2.resize(light, self._size, interpolation=cv2.INTER_AREA)
        half = self._size[0] // 2, self._size[1] // 2
        shining = cv2.resize(glow, half, interpolation=cv2.INTER_AREA)
        for wide, share in ((half[0] / 130, 0.22), (half[0] / 36, 0.20)):
            halo = cv2.GaussianBlur(shining, (0, 0), wide)
            small += share * cv2.resize(halo, self._size, interpolation=cv2.INTER_LINEAR)
        return screen_colours(small)

    def on_picture(self, places: Floats) -> Floats:
        """Return where places are seen, in pixels from the upper left corner."""
        wide, high = (SAMPLES * each for each in self._size)
        return on_screen(places, self._sight, wide, high)[:, :2] / SAMPLES

    def _keys(self, screen: Floats, scene: Scene) -> NDArray[np.uint64]:
        near, far = self._range
        screen[:, 2] = np.clip((screen[:, 2] - near) / (far - near), 0, 0.999)
        wide, high = (SAMPLES * each for each in self._size)
        return nearest(screen[scene.triangles], wide, high).reshape(high, wide)

    def _paint(self, screen: Floats, keys: NDArray[np.uint64]) -> None:
        """Find what each sample shows, and its light where no lamp is lit."""
        high, wide = keys.shape
        self._places, self._normals, self._colours, self._dark = (
            np.empty((high, wide, 3), np.float32) for _ in range(4)
        )
        floor = linear(self._ground)
        for row in range(0, high, 96):
            rows = slice(row, min(row + 96, high))
            y, x = np.indices(keys[rows].shape).reshape(2, -1)
            y += row
            numbers = keys[rows].ravel()
            hit = numbers != FAR
            ground = on_ground(self._scene, self._sight, x[~hit], y[~hit], wide, high)
            there = self._hit(self._scene, screen, numbers_of(numbers[hit]), y[hit], x[hit])
            surface = _Surface(
                np.empty((len(x), 3), np.float32),
                np.tile(np.array((0, 0, 1), np.float32), (len(x), 1)),
                np.tile(floor, (len(x), 1)),
                np.zeros(len(x), np.float32),
                np.empty((len(x), 3), np.float32),
            )
            surface.places[~hit], surface.eyes[~hit] = ground
            for whole, own in zip(surface, there, strict=True):
                whole[hit] = own
            light, mirrored = _shaded(surface, y, x, self._lights)
            dark = light * surface.colours + _SHINE * mirrored * surface.glosses[:, None]
            dark[~hit] = floor * (0.14 + 0.86 * even(light[~hit]))
            for into, found in (
                (self._places, surface.places),
                (self._normals, surface.normals),
                (self._colours, surface.colours),
                (self._dark, dark * ROOM),
            ):
                into[rows] = found.reshape(into[rows].shape)

    def _hit(self, scene: Scene, screen: Floats, number: Whole, y: Whole, x: Whole) -> _Surface:
        """Return what samples show of these triangles."""
        corners = scene.triangles[number]
        shares = shares_at(screen[corners], x.astype(np.float64) + 0.5, y.astype(np.float64) + 0.5)
        places = np.einsum("ij,ijk->ik", shares, scene.points[corners])
        eyes = self._sight.eye @ self._sight.axes + self._sight.origin - places
        return _Surface(
            places.astype(np.float32),
            _unit(np.einsum("ij,ijk->ik", shares, scene.normals[number])),
            scene.colours[number],
            scene.glosses[number],
            _unit(eyes),
        )

    def _ask(self) -> None:
        """Note each pixel's share of light from its quarter of the lights, dark or not."""
        for turn in range(_TURNS):
            first, second = divmod(turn, SAMPLES)
            own = np.s_[first * SAMPLES :: SAMPLES**2, second * SAMPLES :: SAMPLES**2]
            places, normals = self._places[own], self._normals[own]
            flat = places.reshape(-1, 3), normals.reshape(-1, 3)
            for light in self._lights[turn::_TURNS]:
                fall = np.maximum(flat[1] @ light.towards, 0) * is_open(light, *flat)
                self._shares[turn].append(fall.reshape(normals.shape[:2]) * light.strength.mean())
            self._planes.append(np.ascontiguousarray(np.moveaxis(places, 2, 0)))
            self._wholes.append(np.sum(self._shares[turn], axis=0) + np.float32(_BOUNCE / _TURNS))

    def _kept(self, moved: Sequence[Moved]) -> Bands:
        """Return the share of its light that each pixel keeps beside what moves."""
        wide, high = self._size
        kept = np.ones((high, wide), np.float32)
        for turn in range(_TURNS if moved else 0):
            lost = np.zeros_like(self._wholes[turn])
            for bit, share in enumerate(self._shares[turn]):
                index = turn + bit * _TURNS
                towards = self._lights[index].towards
                if towards[2] > _LOW:
                    part = self._shaded_part(moved, towards)
                    places = self._planes[turn][:, part[0], part[1]]
                    hidden = _hidden(moved, index, places.reshape(3, -1))
                    lost[part] += share[part] * hidden.reshape(places.shape[1:])
            first, second = divmod(turn, SAMPLES)
            kept[first::SAMPLES, second::SAMPLES] -= lost / self._wholes[turn]
        return np.asarray(cv2.GaussianBlur(kept, (0, 0), 1.3), np.float32)

    def _shaded_part(self, moved: Sequence[Moved], towards: Bands) -> tuple[slice, slice]:
        """Return the part of a quarter's pixels on which things may cast a shadow."""
        ends = []
        for body, by in moved:
            low, high = body.bounds
            corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T + by
            fall = (corners[:, 2:] - self._scene.ground) / towards[2]
            ends += [corners, corners - fall * towards]
        return self._box(np.concatenate(ends), SAMPLES)

    def _box(self, places: Floats, step: int) -> tuple[slice, slice]:
        """Return the rows and columns that some places span, `step` pixels each."""
        spots = self.on_picture(places)
        low, end = (spots.min(axis=0) - 3) / step, (spots.max(axis=0) + 3) / step
        columns, rows = (
            slice(*np.clip((begin, stop), 0, most // step).astype(int).tolist())
            for begin, stop, most in zip(low, end, self._size, strict=True)
        )
        return rows, columns

    def _put(
        self, light: Bands, glow: Bands, moved: Sequence[Moved], lit: Mapping[Square, Bands]
    ) -> None:
        """Paint what moves into a picture's light, wherever it is in front."""
        scene = _joined(moved, self._scene.ground)
        wide, high = (SAMPLES * each for each in self._size)
        screen = on_screen(scene.points, self._sight, wide, high)
        keys = self._keys(screen, scene)
        y, x = np.nonzero((keys != FAR) & (depths_of(keys) < self._depths))
        number = numbers_of(keys[y, x])
        # One sample of a pixel is asked for light: that changes less than what has the colours.
        asked = (y % SAMPLES == 0) & (x % SAMPLES == 0)
        surface = self._hit(scene, screen, number[asked], y[asked], x[asked])
        row, column = y // SAMPLES, x // SAMPLES
        fallen, mirrored = self._falls(surface, row[asked], column[asked], moved, lit)
        field = np.zeros((self._size[1], self._size[0], 7), np.float32)
        field[row[asked], column[asked]] = np.column_stack(
            [fallen, mirrored, np.ones(len(fallen), np.float32)]
        )
        smooth = cv2.GaussianBlur(field, (0, 0), 0.9)[row, column]
        smooth /= np.maximum(smooth[:, 6:], 1e-4)
        gloss = _SHINE * scene.glosses[number][:, None]
        light[y, x] = smooth[:, :3] * scene.colours[number] + gloss * smooth[:, 3:6]
        glow[y, x] = 0

    def _falls(
        self,
        surface: _Surface,
        row: Whole,
        column: Whole,
        moved: Sequence[Moved],
        lit: Mapping[Square, Bands],
    ) -> tuple[Bands, Bands]:
        """Return the light on pixels, the room's and that of lamps near them, and the glints."""
        light, mirrored = _shaded(surface, row, column, self._lights, moved)
        light *= ROOM
        for square, own in lit.items():
            off = np.abs(surface.places[:, :2] - np.array(self._build.middle(square), np.float32))
            near = np.flatnonzero((off < _AROUND_MM).all(axis=1))
            fallen = self._fallen(square, surface.places[near], surface.normals[near])
            light[near] += fallen[:, None] * own
        return light, mirrored * ROOM

    def _lamp(self, square: Square) -> _Lamp:
        """Return where a lamp's light is seen while nothing moves."""
        if square not in self._lamps:
            x, y = self._build.middle(square)
            spans = ((at - _AROUND_MM, at + _AROUND_MM) for at in (x, y))
            ends = np.array(np.meshgrid(*spans, (0.0, 60.0))).reshape(3, -1).T
            rows, columns = self._box(ends, 1)
            part = (
                slice(rows.start * SAMPLES, rows.stop * SAMPLES),
                slice(columns.start * SAMPLES, columns.stop * SAMPLES),
            )
            places, colours = self._places[part], self._colours[part]
            is_flat = np.abs(places[..., 2] - INK_MM) < 0.1
            shine = np.zeros_like(places)
            bright = self._through(square, places[is_flat])
            shine[is_flat] = bright[:, None] * (0.3 + 0.7 * np.sqrt(colours[is_flat]))
            stands = places[..., 2] > 0.3
            fallen = np.zeros_like(places)
            found = self._fallen(square, places[stands], self._normals[part][stands])
            fallen[stands] = found[:, None] * colours[stands]
            self._lamps[square] = _Lamp(*part, shine, fallen)
        return self._lamps[square]

    def _through(self, square: Square, places: Bands) -> Bands:
        """Return how bright a lit square is at places of the surface, 1 where it is brightest."""
        found = spread(self._build, square, 1.5)[0]
        smooth = cv2.GaussianBlur(found, (0, 0), 1.2)
        bright = cv2.resize(smooth, None, fx=8, fy=8, interpolation=cv2.INTER_LINEAR)
        turn, middle = self._build.turn(square), self._build.middle(square)
        around = np.array(((cos(turn), -sin(turn)), (sin(turn), cos(turn))))
        off = (places[:, :2] - middle) @ around / np.asarray(chamber_of(self._build, square).sides)
        at = np.clip((off + 0.5) * bright.shape, 0, np.array(bright.shape) - 1).astype(int)
        shine = (bright[tuple(at.T)] / bright.max()) ** 0.6
        return np.asarray(shine * (self._which(places) == square), np.float32)

    def _which(self, places: Bands) -> Whole:
        """Return the square of each place of the surface, -1 beside them all."""
        at = np.round(places[:, :2] * _MAP_PER_MM + len(self._plan) / 2).astype(int)
        column, row = np.clip(at.T, 0, len(self._plan) - 1)
        return np.asarray(self._plan[row, column], np.int64)

    @cached_property
    def _plan(self) -> NDArray[np.int16]:
        half = round(1.3 * _MAP_PER_MM * max(map(max, map(self._build.middle, SQUARES))))
        plan = np.full((2 * half, 2 * half), -1, np.int16)
        for square in SQUARES:
            outline = _MAP_PER_MM * self._outline(square) + half
            cv2.fillPoly(plan, [np.round(outline).astype(np.int32)], int(square))
        return plan

    def _outline(self, square: Square) -> Floats:
        ends = np.array(self._build.topology.outlines[square], float)
        return np.asarray(self._build.unit_mm * (ends - 5))

    def _fallen(self, square: Square, places: Bands, normals: Bands) -> Bands:
        """Return how much of a square's light falls on places near it, from four parts of it."""
        outline, middle = self._outline(square), np.array(self._build.middle(square))
        parts = middle + 0.65 * (outline[:: max(1, len(outline) // 4)] - middle)
        fallen = np.zeros(len(places), np.float32)
        for part in parts:
            way = np.array((*part, 0.0), np.float32) - places
            far = np.einsum("ij,ij->i", way, way)
            onto = np.maximum(np.einsum("ij,ij->i", way, normals), 0)
            fallen += onto * np.maximum(places[:, 2], 0) / (far + 9) ** 2
        return fallen * (_SPREAD * self._build.square_mm**2 / len(parts))


def _shining(colour: RGB) -> Bands:
    """Return a lamp's light: its levels are shares of light, its hue is as on a screen."""
    most = max(colour)
    hue = linear((255 * colour[0] // most, 255 * colour[1] // most, 255 * colour[2] // most))
    # White is three lights at once; an eye that has got used to it sees less of them.
    return np.asarray(BRIGHT * most / 255 * 1.9 / (0.4 + hue.sum()) * hue)


def _joined(moved: Sequence[Moved], ground: float) -> Scene:
    """Return things that move, each at its place, as one."""
    scenes = [body.scene for body, _ in moved]
    starts = np.cumsum([0, *(len(each.points) for each in scenes)])
    return Scene(
        np.concatenate([body.scene.points + by for body, by in moved]),
        np.concatenate(
            [each.triangles + start for each, start in zip(scenes, starts, strict=False)]
        ),
        np.concatenate([each.normals for each in scenes]),
        np.concatenate([each.colours for each in scenes]),
        np.concatenate([each.glows for each in scenes]),
        np.concatenate([each.glosses for each in scenes]),
        ground,
    )


def _range(depth: Floats) -> tuple[float, float]:
    """Return the depths between which things may come, who comes to what has these."""
    near, far = float(depth.min()), float(depth.max())
    return near - 2 * (far - near), far + (far - near)


def _unit(ways: Floats | Bands) -> Bands:
    length = np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)
    return np.asarray(ways / length, np.float32)


def _hidden(moved: Sequence[Moved], index: int, places: Bands) -> NDArray[np.bool_]:
    """Whether something that moves stands between each place, one a column, and a light."""
    hidden = np.zeros(places.shape[1], bool)
    for body, by in moved:
        light = body.lights[index]
        at = light.onto_map[3] - np.array(by, np.float32) @ light.onto_map[:3]
        column, row, height = light.onto_map[:3].T @ places + at[:, None]
        most = len(light.heights) - 1
        near = np.flatnonzero((column > 0) & (column < most) & (row > 0) & (row < most))
        first = light.heights[row[near].astype(np.int32), column[near].astype(np.int32)]
        hidden[near] |= height[near] < first
    return hidden


def _shaded(
    surface: _Surface, y: Whole, x: Whole, lights: Sequence[Light], moved: Sequence[Moved] = ()
) -> tuple[Bands, Bands]:
    """Return the light on each sample, and what it mirrors: the window's middle."""
    light, window = np.zeros((2, len(x), 3), np.float32)
    for turn in range(_TURNS):
        own = np.flatnonzero((y % SAMPLES == turn // SAMPLES) & (x % SAMPLES == turn % SAMPLES))
        places, normals = surface.places[own], surface.normals[own]
        off = [
            np.ascontiguousarray((places + thing.body.lights[0].pull * normals).T)
            for thing in moved
        ]
        fallen, shining = np.zeros((2, len(own), 3), np.float32)
        for bit, source in enumerate(lights[turn::_TURNS]):
            fall = np.maximum(normals @ source.towards, 0) * is_open(source, places, normals)
            for thing, beside in zip(moved, off, strict=True):
                fall *= ~_hidden([thing], turn + bit * _TURNS, beside)
            part = shining if source.shines else fallen
            part += (_TURNS * fall)[:, None] * source.strength
        light[own], window[own] = fallen + shining, shining
    main = np.sum([source.towards for source in lights if source.shines], axis=0)
    between = _unit(surface.eyes + main / np.linalg.norm(main))
    glint = np.maximum(np.einsum("ij,ij->i", surface.normals, between), 0) ** 32
    light += _BOUNCE * (1.4 - 0.6 * surface.normals[:, 2:])
    return light, glint[:, None] * window
