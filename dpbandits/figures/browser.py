"""PNG by a browser that is already there: Chromium, Chrome or Edge, without a window."""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
PLAYWRIGHT = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
    "chromium-*/chrome-win*/chrome.exe",
)


@cache
def find_browser() -> str | None:
    """The program to call, or None. `DPBANDITS_BROWSER` names one that is elsewhere."""
    if named := os.environ.get("DPBANDITS_BROWSER"):
        return shutil.which(named)
    found = next(filter(None, map(shutil.which, (*NAMES, *PLACES))), None)
    if found:
        return found
    homes = {"linux": ".cache", "darwin": "Library/Caches", "win32": "AppData/Local"}
    installed = Path.home() / homes.get(sys.platform, ".cache") / "ms-playwright"
    return next((str(p) for pattern in PLAYWRIGHT for p in sorted(installed.glob(pattern), reverse=True)), None)


def screenshot(page: Path, image: Path, width: int, height: int, timeout: float = 60.0) -> bool:
    """Draw the local HTML file `page` into the PNG `image` (width x height CSS pixels, twice as many dots).

    Returns whether it worked; a browser that is missing, fails or hangs is no error here.
    """
    browser = find_browser()
    if browser is None:
        return False
    with tempfile.TemporaryDirectory(prefix="dpbandits-browser-", ignore_cleanup_errors=True) as profile:
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
            "--disable-extensions",
            "--disable-dev-shm-usage",
            f"--user-data-dir={profile}",
            f"--window-size={width},{height}",
            "--force-device-scale-factor=2",
            "--virtual-time-budget=20000",
            f"--screenshot={image}",
            page.resolve().as_uri(),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # Chromium refuses to start as root with it
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=timeout, check=True)
        except (OSError, subprocess.SubprocessError):
            return False
    return image.is_file()
