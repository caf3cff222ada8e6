"""`proofgrad site` away from the project is unusable input, and says what it needs."""

import subprocess
import sys
from pathlib import Path

PROOFGRAD = [sys.executable, "-c", "from numerics.cli import main; main()"]


def test_elsewhere_there_is_no_site(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROOFGRAD, "site"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "no docs/build.py here" in done.stderr


def test_it_starts_the_build_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "__init__.py").write_text("")
    (tmp_path / "docs" / "build.py").write_text("import sys\nsys.exit(7 + len(sys.argv))\n")
    done = subprocess.run(
        [*PROOFGRAD, "site", "--serve"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        check=False,
    )
    assert done.returncode == 9
