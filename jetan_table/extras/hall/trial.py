"""A hall up from nothing: a broker of our own, and simulated tables that tell it."""

import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from rules.sentences import _

from ...errors import MissingPackage
from ...files import read_text, write_whole
from .broker import HALL_USER, Broker, BrokerFiles

NAMES: Final = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"),
    *("iota", "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi"),
)
HOST: Final = "127.0.0.1"
MOSQUITTO: Final = "/usr/sbin/mosquitto"


def table_names(count: int) -> list[str]:
    """Return what so many tables are called."""
    more = (f"table-{number}" for number in range(len(NAMES) + 1, count + 1))
    return [*NAMES[:count], *more]


def find_mosquitto() -> str:
    """Return the broker's program; MissingPackage names what brings it."""
    found = shutil.which("mosquitto") or (MOSQUITTO if Path(MOSQUITTO).is_file() else None)
    if found is None:
        raise MissingPackage(_("Mosquitto is missing: sudo apt-get install mosquitto"))
    return found


@contextmanager
def broker_running(files: BrokerFiles, log: Path) -> Iterator[None]:
    """Run Mosquitto by these files while the block runs."""
    with ended_with([find_mosquitto(), "-c", str(files.config)], log):
        yield


@contextmanager
def trial(
    count: int, folder: Path, speed: float, make_password: Callable[[], str]
) -> Iterator[Broker]:
    """Give a broker at which so many simulated tables play, until the block is left."""
    files = BrokerFiles(folder / "broker")
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    names = table_names(count)
    for name in names:
        files.seat(name, make_password)
    files.write_config(port, HOST)
    with ExitStack() as running:
        running.enter_context(broker_running(files, folder / "mosquitto.log"))
        for seed, name in enumerate(names, 1):
            home = folder / name
            write_whole(home / "table.toml", _settings(name, port, files).encode())
            command = [sys.executable, "-m", "jetan_table", "play", "--hands", "auto", "--plain"]
            command += ["--data", str(home / "data"), "--config", str(home / "table.toml")]
            command += ["--seed", str(seed * 1000), "--speed", str(speed), "--games", "1000"]
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
