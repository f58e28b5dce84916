"""`jetan hall`: a wall of many tables, a tournament, and who may say what at the broker."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import click
import segno

from rules.sentences import _

from ..hall.broker import Broker, parse_broker
from ..hall.hall import Hall
from ..hall.seats import HALL_USER, WATCHER, BrokerFiles
from ..hall.serving import HallServer
from ..hall.showing import Delay
from ..hall.trial import trial
from ..languages import Language
from ..settings import data_folder
from ..web.access import Access
from ..web.playing import EVERYWHERE, LOOPBACK
from ..web.server import listen
from ..wiring import ARBITER_PIN, kept_pin, unguessable
from ..words.words import Speaker
from . import examples
from .options import DATA, LANGUAGE, misused, spoken
from .page import lan_address, own_names
from .signals import ends_in_order

HALL_PORT = 1923
TRIAL_SPEED = 4.0


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "jetan hall --try 12",
        "jetan hall --broker mqtt://localhost --lan",
        "jetan hall --broker mqtts://club.example --delay-minutes 15",
        "jetan hall --broker mqtt://localhost --spectators --port 8080",
        "jetan hall seat alpha --host club.local",
    ),
)
@click.option("--broker", metavar="URL", help="mqtt://host:1883 or mqtts://host:8883.")
@click.option("--user", help="Who the hall is there; without: as `jetan hall seat` has it.")
@click.option("--password", type=click.Path(path_type=Path), help="The file with its password.")
@click.option("--certificate", type=click.Path(path_type=Path), help="Trust the broker by it.")
@click.option("--port", type=click.IntRange(0, 65_535), default=HALL_PORT, show_default=True)
@click.option("--lan", is_flag=True, help="Let everybody on this network see the hall.")
@click.option("--names", default="", help="Names of this machine besides its own, with commas.")
@click.option("--delay-plies", type=click.IntRange(0, 1000), default=0, help="For spectators.")
@click.option("--delay-minutes", type=click.FloatRange(0, 1440), default=0.0, help="The same.")
@click.option("--spectators", is_flag=True, help="Only show: without an arbiter, and silent.")
@click.option("--try", "count", type=click.IntRange(1, 200), help="So many simulated tables.")
@DATA
@LANGUAGE
@click.pass_context
def hall(
    context: click.Context,
    /,
    broker: str | None,
    count: int | None,
    data: Path | None,
    **options: Any,
) -> int | None:
    """Show all tables that tell a broker, and hold their tournament."""
    if context.invoked_subcommand is not None:
        return None
    if (broker is None) == (count is None):
        raise misused(_("say --broker URL, or --try 12 to see a hall at work"))
    speaker = Speaker(spoken(options["lang"]))
    with ExitStack() as ends:
        ends.enter_context(ends_in_order(speaker, _("The hall is closed.")))
        if count is not None:
            folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="jetan-hall-")))
            tables = trial(count, folder, TRIAL_SPEED, unguessable)
            return serve_hall(ends.enter_context(tables), folder / "hall", **options)
        assert broker is not None
        folder = hall_folder(data)
        return serve_hall(as_user(parse_broker(broker), folder, **options), folder, **options)


def hall_folder(data: Path | None) -> Path:
    """Return where a hall keeps its files."""
    return data_folder(data, os.environ) / "hall"


def as_user(
    broker: Broker,
    folder: Path,
    user: str | None,
    password: Path | None,
    certificate: Path | None,
    spectators: bool,
    **_others: Any,
) -> Broker:
    """Return the broker as this hall comes to it: as told, else as the seats' files have it."""
    name = user or (WATCHER if spectators else HALL_USER)
    secret = password or BrokerFiles(folder / "broker").secret(name)
    if user is None and password is None and not secret.is_file():
        return broker.as_user("", "", str(certificate or ""))
    return broker.as_user(name, str(secret), str(certificate or ""))


def serve_hall(
    broker: Broker,
    folder: Path,
    port: int,
    lan: bool,
    names: str,
    delay_plies: int,
    delay_minutes: float,
    spectators: bool,
    lang: Language | None,
    **_others: Any,
) -> int:
    """Serve a hall until Ctrl-C."""
    say = Speaker(spoken(lang)).say
    delay = Delay(delay_plies, delay_minutes * 60)
    pin = kept_pin(folder, ARBITER_PIN)
    access = Access(pin, own_names(names), time.time, unguessable)
    with (
        closing(Hall(folder, delay, time.time, lambda: secrets.token_hex(8))) as opened,
        listen(EVERYWHERE if lan else LOOPBACK, port) as listener,
    ):
        host = lan_address() if lan else LOOPBACK
        url = f"http://{host}:{listener.getsockname()[1]}/"
        print(say(_("The hall: {url}"), url=url))
        if not spectators:
            print(say(_("Anyone may watch; the arbiter's PIN is {pin}."), pin=pin), flush=True)
        if lan:
            segno.make(url, micro=False).terminal(sys.stdout, compact=True)
            sys.stdout.flush()
        name = f"hall-{secrets.token_hex(4)}"
        HallServer(opened, broker, access, not spectators, name).run(listener, time.monotonic)
    return 0


@hall.command(epilog=examples("jetan hall seat alpha", "jetan hall seat beta --host club.local"))
@click.argument("name")
@click.option("--host", default="localhost", show_default=True, help="Where the broker is.")
@click.option("--port", type=click.IntRange(1, 65_535), help="Its port.")
@click.option("--tls", is_flag=True, help="It has server.crt and server.key.")
@DATA
@LANGUAGE
def seat(
    name: str, host: str, port: int | None, tls: bool, data: Path | None, lang: Language | None
) -> None:
    """Give a table a password at the broker.

    The files by which Mosquitto lets it in are written, too.
    """
    files = BrokerFiles(hall_folder(data) / "broker")
    password = files.seat(name, unguessable)
    port = port or (8883 if tls else 1883)
    files.write_config(port, is_tls=tls)
    url = f"{'mqtts' if tls else 'mqtt'}://{host}:{port}"
    lines = ["[hall]", f'broker = "{url}"', f'table = "{name}"', 'password = "hall-password"']
    say = Speaker(spoken(lang)).say
    print("\n".join([say(_("For {name}'s settings:"), name=name), "", *lines, ""]))
    print(say(_("and in the file hall-password: {password}"), password=password))
    code = f"{url}#{name}:{password}"
    if (fingerprint := files.fingerprint()) is not None:
        print(say(_("The broker's certificate, SHA-256: {hash}"), hash=fingerprint))
        code = f"{code}#{fingerprint}"
    print(say(_("Mosquitto reads {config}; reload it now."), config=files.config), flush=True)
    segno.make(code, micro=False).terminal(sys.stdout, compact=True)
