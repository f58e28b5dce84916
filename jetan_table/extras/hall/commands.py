"""`jetan hall`: a wall of many tables, a tournament, and who may say what at the broker.

A trial brings all of it up from nothing: a broker of our own, and simulated tables that tell it.
"""

import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import click

from rules import _

from ...cli.at_table import ends_in_order
from ...cli.options import Data, Lang, Words, command, group, misused, option
from ...cli.page import OTHER_PORTS, own_names, say_moved, show_code, url_of
from ...errors import MissingPackage
from ...files import read_text, write_whole
from ...light.words import Speaker
from ...page.access import Access
from ...page.playing import EVERYWHERE, LOOPBACK
from ...page.server import listen
from ...wiring import ARBITER_PIN, kept_pin, unguessable
from .broker import HALL_USER, WATCHER, Broker, BrokerFiles, parse_broker
from .hall import Hall, HallServer
from .hub import Delay

HALL_PORT = 1923
TRIAL_SPEED = 4.0

NAMES: Final = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"),
    *("iota", "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi"),
)
PLAYERS: Final = (
    *("Tara", "Gahan", "Ghek", "Lan-O", "O-Tar", "A-Kor", "U-Dor", "E-Med", "I-Gos", "E-Thas"),
    *("U-Thor", "Luud", "Val Dor", "Tasor", "Floran", "Moak", "Djor Kantos", "Olvia", "Uthia"),
    *("Carthoris", "Thuvia", "Sola", "Kantos Kan", "Tars Tarkas"),
)
"""The people of Barsoom, two for each of twelve tables."""
HOST: Final = "127.0.0.1"
MOSQUITTO: Final = "/usr/sbin/mosquitto"


@dataclass(frozen=True, slots=True)
class HallOptions:
    """The hall's user at its broker, and the options for serving it."""

    user: Annotated[str | None, "The hall's user there; else that of `jetan hall seat`."]
    password: Annotated[Path | None, "The file with its password."]
    certificate: Annotated[Path | None, "The broker's certificate."]
    port: Annotated[int | None, option("Else 1923, or the next free.", within=(0, 65_535))]
    lan: Annotated[bool, "Let everybody on this network see the hall."]
    names: Annotated[str, option("Names of this machine besides its own, with commas.", default="")]
    delay_plies: Annotated[int, option("Spectators' delay.", within=(0, 1000), default=0)]
    delay_minutes: Annotated[float, option("Their delay.", within=(0, 1440), default=0.0)]
    spectators: Annotated[bool, "Only show: without an arbiter, and silent."]

    def broker(self, broker: Broker, folder: Path) -> Broker:
        """Return the broker as this hall comes to it: as told, else as the seats' files have it."""
        name = self.user or (WATCHER if self.spectators else HALL_USER)
        secret = self.password or BrokerFiles(folder / "broker").secret(name)
        if self.user is None and self.password is None and not secret.is_file():
            return broker.as_user("", "", str(self.certificate or ""))
        return broker.as_user(name, str(secret), str(self.certificate or ""))


@group(
    "jetan hall --try 12",
    "jetan hall --broker mqtt://localhost --lan",
    "jetan hall --broker mqtts://club.example --delay-minutes 15",
    "jetan hall --broker mqtt://localhost --spectators --port 8080",
    "jetan hall seat alpha --host club.local",
    invoke_without_command=True,
)
def hall(
    broker: Annotated[str | None, option("mqtt://host:1883 or mqtts://host:8883.", metavar="URL")],
    options: HallOptions,
    count: Annotated[int | None, option("How many simulated tables.", "--try", within=(1, 200))],
    data: Data,
    lang: Lang,
) -> int | None:
    """Show all tables that report to a broker, and hold their tournament."""
    if click.get_current_context().invoked_subcommand is not None:
        return None
    if (broker is None) == (count is None):
        raise misused(_("say --broker URL, or --try 12 to see a hall at work"))
    speaker, folder = Speaker(lang), data / "hall"
    with ExitStack() as ends:
        ends.enter_context(ends_in_order(speaker, _("The hall is closed.")))
        if broker is not None:
            return serve_hall(
                options.broker(parse_broker(broker), folder), folder, options, speaker
            )
        assert count is not None
        scratch = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="jetan-hall-")))
        tables = ends.enter_context(trial(count, scratch, TRIAL_SPEED, unguessable))
        return serve_hall(tables, scratch / "hall", options, speaker)


def serve_hall(broker: Broker, folder: Path, options: HallOptions, speaker: Speaker) -> int:
    """Serve a hall until Ctrl-C."""
    say, lan = speaker.say, options.lan
    wanted, others = (HALL_PORT, OTHER_PORTS) if options.port is None else (options.port, 0)
    delay = Delay(options.delay_plies, options.delay_minutes * 60)
    pin = kept_pin(folder, ARBITER_PIN)
    access = Access(pin, own_names(options.names), time.time, unguessable)
    with (
        closing(Hall(folder, delay, time.time, lambda: secrets.token_hex(8))) as opened,
        listen(EVERYWHERE if lan else LOOPBACK, wanted, others) as listener,
    ):
        port = listener.getsockname()[1]
        url = url_of(lan, port)
        say_moved(wanted, port, say)
        print(say(_("The hall: {url}"), url=url))
        if not options.spectators:
            print(say(_("Anyone may watch; the arbiter's PIN is {pin}."), pin=pin), flush=True)
        if lan:
            show_code(url)
        name = f"hall-{secrets.token_hex(4)}"
        HallServer(opened, broker, access, not options.spectators, name).run(
            listener, time.monotonic
        )
    return 0


@command("jetan hall seat alpha", "jetan hall seat beta --host club.local", of=hall)
def seat(
    name: str,
    host: Annotated[str, option("Where the broker is.", default="localhost")],
    port: Annotated[int | None, option("Its port.", within=(1, 65_535))],
    tls: Annotated[bool, "It has server.crt and server.key."],
    data: Data,
    say: Words,
) -> None:
    """Give a table a password at the broker.

    The files by which Mosquitto lets it in are written, too.
    """
    files = BrokerFiles(data / "hall" / "broker")
    password = files.seat(name, unguessable)
    port = port or (8883 if tls else 1883)
    files.write_config(port, is_tls=tls)
    url = f"{'mqtts' if tls else 'mqtt'}://{host}:{port}"
    lines = ["[hall]", f'broker = "{url}"', f'table = "{name}"', 'password = "hall-password"']
    print("\n".join([say(_("For {name}'s settings:"), name=name), "", *lines, ""]))
    print(say(_("and in the file hall-password: {password}"), password=password))
    code = f"{url}#{name}:{password}"
    if (fingerprint := files.fingerprint()) is not None:
        print(say(_("The broker's certificate, SHA-256: {hash}"), hash=fingerprint))
        code = f"{code}#{fingerprint}"
    print(say(_("Mosquitto reads {config}; reload it now."), config=files.config))
    show_code(code)


# A hall up from nothing


def table_names(count: int) -> list[str]:
    """Return names for that many tables."""
    more = (f"table-{number}" for number in range(len(NAMES) + 1, count + 1))
    return [*NAMES[:count], *more]


def find_mosquitto() -> str:
    """Return the broker's program; MissingPackage names what brings it."""
    found = shutil.which("mosquitto") or (MOSQUITTO if Path(MOSQUITTO).is_file() else None)
    if found is None:
        raise MissingPackage(_("Mosquitto is missing: sudo apt-get install mosquitto"))
    return found


@contextmanager
def trial(
    count: int, folder: Path, speed: float, make_password: Callable[[], str]
) -> Iterator[Broker]:
    """Give a broker with that many simulated tables, until the block is left."""
    files = BrokerFiles(folder / "broker")
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    names = table_names(count)
    for name in names:
        files.seat(name, make_password)
    files.write_config(port, HOST)
    with ExitStack() as running:
        command = [find_mosquitto(), "-c", str(files.config)]
        running.enter_context(ended_with(command, folder / "mosquitto.log"))
        for seed, name in enumerate(names, 1):
            home = folder / name
            write_whole(home / "table.toml", _settings(name, port, files).encode())
            command = [sys.executable, "-m", "jetan_table", "play", "--hands", "auto", "--plain"]
            command += ["--data", str(home / "data"), "--config", str(home / "table.toml")]
            command += ["--seed", str(seed * 1000), "--speed", str(speed), "--games", "1000"]
            command += ["--players", ",".join(PLAYERS[2 * (seed % 12) :][:2])]
            running.enter_context(ended_with(command, home / "log"))
        password = read_text(files.secret(HALL_USER)).strip()
        yield Broker(HOST, port, user=HALL_USER, password=password)


@contextmanager
def ended_with(command: list[str], log: Path) -> Iterator[None]:
    """Run a program while the block runs; what it prints goes to `log`."""
    with log.open("ab") as out:
        # A group of its own: a Ctrl-C is the hall's, which ends the tables in order.
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, process_group=0
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _settings(name: str, port: int, files: BrokerFiles) -> str:
    return (
        f'[hall]\nbroker = "mqtt://{HOST}:{port}"\ntable = "{name}"\n'
        f'password = "{files.secret(name).absolute()}"\n'
    )
