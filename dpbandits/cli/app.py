"""`dpbandits app`: the explorers on a page of their own, for the lecture hall."""

import argparse
import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import webbrowser
from pathlib import Path

from dpbandits.cli import doctor

HELP = """\
show the explorers without notebook or code, large and in strong contrast

A menu chooses the explorer; EXPLORER is the one shown first. The page is served by Voila on this computer alone, and
only to who has the address with its token. Ctrl-C ends it.

examples:
  dpbandits app
  dpbandits app region
  dpbandits app guess_the_click --no-browser --port 9000
"""

HOST = "127.0.0.1"
NEEDED = (
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
)  # others expect a whole JupyterLab
#: Voila's own page without the icon font that it asks a server on the internet for: nothing here uses it.
TEMPLATE = """\
{%- extends 'voila/templates/lab/index.html.j2' -%}
{%- block notebook_css -%}
{{ super() | replace('https://cdn.jsdelivr.net/npm/@fortawesome', 'data:text/css,') }}
{%- endblock notebook_css -%}
"""
PATIENCE = 60.0  # seconds that the server has to answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "explorer", nargs="?", metavar="EXPLORER", default="regret", help="shown first (default: regret)"
    )
    parser.add_argument("--port", type=int, default=0, help="of the page (default: any that is free)")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")


def execute(arguments: argparse.Namespace) -> int:
    if importlib.util.find_spec("voila") is None:
        raise ValueError(f"Voila, which serves the page, is missing. Add it with: {doctor.command_for('app')}")
    from dpbandits.explorers.toolkit import stage

    stage.maker(arguments.explorer)
    port = free_port(arguments.port)
    with tempfile.TemporaryDirectory(prefix="dpbandits-app-") as folder:  # readable by its owner alone
        page = write_page(Path(folder), arguments.explorer)
        return serve(page, port, quiet=arguments.no_browser)


def free_port(wanted: int = 0) -> int:
    """`wanted`, or any free port for 0. Raises ValueError where it is taken or no port."""
    if not 0 <= wanted <= 65535:
        raise ValueError(f"port: {wanted} is not allowed: it must be from 1 to 65535, or 0 for any that is free.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError as error:
            raise ValueError(
                f"port: {wanted} cannot be used ({error.strerror}): choose another, or leave --port out."
            ) from None
        return probe.getsockname()[1]


def write_page(folder: Path, first: str) -> Path:
    """The notebook behind the page, one cell, and the template that Voila fills."""
    # here, since every command imports this module: it takes longer to load than `dpbandits list` to answer
    import nbformat

    cell = nbformat.v4.new_code_cell(f"from dpbandits.explorers.toolkit.stage import Stage\n\nStage({first!r})")
    page = folder / "dpbandits.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), page)
    template = folder / "voila" / "templates" / "dpbandits"
    template.mkdir(parents=True)
    (template / "conf.json").write_text('{"base_template": "lab"}', encoding="utf-8")
    (template / "index.html.j2").write_text(TEMPLATE, encoding="utf-8")
    return page


def serve(page: Path, port: int, quiet: bool) -> int:
    """Run the server until it ends or Ctrl-C; the token travels in its environment, where other users do not see it."""
    token = secrets.token_hex(24)
    command = [
        sys.executable,
        "-P",  # a learner's random.py in the current folder must not stand before Python's own
        "-m",
        "voila",
        str(page),
        f"--port={port}",
        f"--Voila.ip={HOST}",
        "--Voila.port_retries=0",
    ]
    command += ["--no-browser", "--Voila.auto_token=True", "--Voila.log_level=ERROR", "--template=dpbandits"]
    command += [f"--VoilaConfiguration.extension_allowlist={name}" for name in NEEDED]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # leaves by way of `finally`: no server stays behind
    places = os.pathsep.join(filter(None, (str(page.parent), os.environ.get("JUPYTER_PATH"))))
    environment = os.environ | {"JUPYTER_TOKEN": token, "JUPYTER_PATH": places}
    server = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        address = f"http://{HOST}:{port}/"
        wait_until_it_answers(server, port)
        print(f"The explorers are at\n  {address}?token={token}\nCtrl-C ends them.", flush=True)
        if not quiet:
            open_in_browser(page.with_name("open.html"), f"{address}?token={token}")
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        end(server)


def wait_until_it_answers(server: subprocess.Popen, port: int) -> None:
    """Raises OSError when the server ends or stays silent."""
    latest = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < latest:
        try:
            socket.create_connection((HOST, port), timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise OSError("the server of the page did not start; its own words stand above.")


def open_in_browser(redirect: Path, url: str) -> None:
    """By way of a file that only its owner can read: a browser's command line is seen by everybody on the machine."""
    redirect.write_text(
        f'<!doctype html><title>dpbandits</title><meta http-equiv="refresh" content="0; url={url}">', encoding="utf-8"
    )
    webbrowser.open(redirect.as_uri())


def end(server: subprocess.Popen) -> None:
    """Stop the server, and its kernels with it."""
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
