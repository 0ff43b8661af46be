"""Install built wheels in clean environments, and use them as a new user does:

    python -m benchmarks.installation dist/*.whl

For each wheel: the size of a base install, the main job, `scythe doctor`, then with the
extras the web app and an MCP client that lists and calls tools. `make dist` runs it. The
exit code is 1 where something does not work.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

EXAMPLE = Path(__file__).parents[1] / "examples" / "harvest.html"
HEADLINE = "# Why the old barley fields are cut by hand again"
MAX_MEGABYTES = 100
"""What a base install may take on disk, without NumPy."""
NOT_OURS = ("numpy", "numpy.libs", "pip", "setuptools", "_distutils_hack")
SECONDS = 60

CLIENT = """
import sys, anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

async def visit():
    server = StdioServerParameters(command=sys.argv[1], args=["mcp"])
    async with Client(stdio_client(server)) as client:
        tools = await client.list_tools()
        print(*sorted(tool.name for tool in tools.tools))
        html = open(sys.argv[2], encoding="utf-8").read()
        done = await client.call_tool("extract", {"html": html})
        print(done.content[0].text)

anyio.run(visit)
"""


class Environment:
    """A clean virtual environment."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        self._folder = folder
        programs = "Scripts" if sys.platform == "win32" else "bin"
        self._programs = folder / programs
        self.python = str(self._programs / "python")
        self.scythe = str(self._programs / "scythe")

    def install(self, requirement: str) -> None:
        """Install a package with what it needs."""
        command = [self.python, "-m", "pip", "install", "-q", requirement]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

    def megabytes(self) -> tuple[float, float]:
        """Return what is installed, without NumPy and the installer, and NumPy."""
        (packages,) = self._folder.rglob("site-packages")
        ours = theirs = 0
        for path in packages.rglob("*"):
            if path.is_symlink() or not path.is_file():
                continue
            top = path.relative_to(packages).parts[0]
            if top.startswith(("pip-", "setuptools-")) or top in NOT_OURS:
                theirs += path.stat().st_size if top.startswith("numpy") else 0
            else:
                ours += path.stat().st_size
        return ours / 1e6, theirs / 1e6

    def output(self, *command: str) -> str:
        """Return what a program prints, without the settings of whoever runs it."""
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=True,
            cwd=self._folder,  # not where the source is
            env={
                "PATH": str(self._programs),
                "HOME": str(self._folder),
                "SCYTHE_CONFIG": "",
            },
        )
        return done.stdout


def check(wheel: Path, folder: Path) -> bool:
    """Return whether a wheel does what it should; print how it does."""
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    base = Environment(folder / "base")
    base.install(str(wheel))
    ours, numpy = base.megabytes()
    print(f"  base install {ours:.0f} MB (bound {MAX_MEGABYTES}), NumPy {numpy:.0f} MB")
    version = base.output(base.scythe, "--version").strip()
    main_job = base.output(base.scythe, "extract", str(EXAMPLE)).startswith(HEADLINE)
    print(f"  {version}; main job {_word(main_job)}")
    findings = base.output(base.scythe, "doctor").splitlines()
    core = next(line for line in findings if " core " in line)
    print(f"  doctor: {len(findings)} lines; {core.strip()}")

    full = Environment(folder / "full")
    full.install(f"{wheel}[web,mcp]")
    serves = _serves(full, folder)
    tools, _, answer = full.output(
        full.python, "-c", CLIENT, full.scythe, str(EXAMPLE)
    ).partition("\n")
    calls = HEADLINE in answer
    print(f"  serve {_word(serves)}; mcp {_word(calls)}: {tools}")
    return ours < MAX_MEGABYTES and main_job and serves and calls


def _serves(environment: Environment, folder: Path) -> bool:
    """Return whether the web app answers."""
    log = folder / "serve.log"
    command = [environment.scythe, "serve", "--port", "0"]
    command += ["--db", f"sqlite:///{folder}/app.db"]
    with log.open("w") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            address = re.search(r"http://[^\s]+", log.read_text())
            if address:
                with urllib.request.urlopen(address.group(), timeout=10) as answer:
                    return b"Scythe" in answer.read()
            time.sleep(0.2)
    finally:
        server.terminate()
        server.wait()
    return False


def _word(is_good: bool) -> str:  # noqa: FBT001 - a finding
    return "works" if is_good else "FAILS"


def main() -> None:
    all_good = True
    for name in sys.argv[1:]:
        with TemporaryDirectory(prefix="scythe-wheel-") as folder:
            all_good = check(Path(name).resolve(), Path(folder)) and all_good
    raise SystemExit(0 if all_good else 1)


if __name__ == "__main__":
    main()
