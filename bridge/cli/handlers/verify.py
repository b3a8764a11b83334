"""``luban verify``."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from bridge.cli.commands.verify import VerifyRequest
from bridge.cli.errors import CommandError
from bridge.cli.output import write_output
from bridge.cli.progress import show_work_progress
from bridge.cli.terminal import join_lines
from bridge.operations.verification import make_depth, verify_level_files
from bridge.referee.documents import read_mapping
from bridge.referee.findings import Finding
from bridge.referee.progress import listen
from bridge.verifying.certificate import Certificate
from bridge.verifying.checker import Depth
from bridge.verifying.referees import find_prover
from bridge.verifying.targets import LevelFile, find_level_files
from pysim.catalog import decode_level
from pysim.catalog.documents import parse_document
from pysim.errors import InputError
from pysim.extras import require_extra
from pysim.limits import quote

__all__ = ["run_verify"]


def run_verify(request: VerifyRequest) -> None:
    """Check levels and print what was found; the exit status is 1 if a claim is false."""
    require_extra("certificates", "solve")
    files = find_level_files(request.targets)
    worlds = tuple(filter(None, request.worlds.split(",")))
    unity = bool(request.unity_player)
    depth = make_depth(deep=request.deep, worlds=worlds, films=request.films, unity=unity)
    if request.emit_proof is not None:
        _check_folder(request.emit_proof)
    found, interrupted = _checked(files, depth, request, quiet=request.as_json)
    if request.emit_proof is not None and not interrupted:
        _write_proofs(files, request.emit_proof)
    if request.as_json:
        print(json.dumps(_document(found, interrupted)))
    else:
        _print(found, len(files), interrupted)
    if interrupted:
        raise SystemExit(130)
    if any(certificate.false for certificate in found):
        raise SystemExit(1)


def _checked(
    files: Sequence[LevelFile], depth: Depth, request: VerifyRequest, *, quiet: bool
) -> tuple[list[Certificate], bool]:
    """Return the certificates in the order of the files, and whether the work was interrupted."""
    found: dict[int, Certificate] = {}
    interrupted = False
    with (
        show_work_progress("checking", quiet=quiet, unit="levels") as (progress, describe),
        listen(describe),
    ):
        progress(0, len(files))

        def add(place: int, certificate: Certificate) -> None:
            found[place] = certificate
            progress(len(found), len(files))

        try:
            verify_level_files(
                files,
                depth,
                certificates=request.certificates,
                unity_player=request.unity_player,
                workers=request.workers,
                ray=request.ray,
                report=add,
            )
        except KeyboardInterrupt:
            interrupted = True
    return [found[place] for place in sorted(found)], interrupted


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder} is a file; --emit-proof requires a folder")
    folder.mkdir(parents=True, exist_ok=True)


def _write_proofs(files: Sequence[LevelFile], folder: Path) -> None:
    for file in files:
        try:
            proof = _proof_of(read_mapping(parse_document(file.read()), "a level"))
        except (OSError, ValueError) as error:
            why = join_lines(error)
            print(f"luban: {join_lines(file.stem)}: no proof is written: {why}", file=sys.stderr)
            continue
        text = json.dumps(proof, indent=1) + "\n"
        write_output(folder / f"{file.stem}.proof.json", text.encode(), force=True)


def _proof_of(document: Mapping[str, object]) -> dict[str, object]:
    family = str(document.get("family"))
    prove = find_prover(family)
    if prove is None:
        raise InputError(f"there are no proofs for the family {quote(family)}")
    decode_level(document)  # What is proven is within the bounds of a level.
    return prove(document)


def _document(found: Sequence[Certificate], interrupted: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "checked": len(found),
        "confirmed": sum(len(certificate.confirmed) for certificate in found),
        "false": [_named(c, f) for c in found for f in c.false],
        "undecided": [_named(c, f) for c in found for f in c.undecided],
    }
    return document | ({"interrupted": True} if interrupted else {})


def _named(certificate: Certificate, finding: Finding) -> dict[str, str]:
    return {"level": certificate.level, **asdict(finding)}


def _print(found: Sequence[Certificate], count: int, interrupted: bool) -> None:
    for certificate in found:
        _print_certificate(certificate, every_claim=count == 1)
    false = sum(len(certificate.false) for certificate in found)
    undecided = sum(len(certificate.undecided) for certificate in found)
    confirmed = sum(len(certificate.confirmed) for certificate in found)
    if interrupted:
        print(f"interrupted after {len(found)} of {count} levels")
    print(f"{len(found)} levels: {confirmed} claims hold, {false} are false, {undecided} undecided")


def _print_certificate(certificate: Certificate, *, every_claim: bool) -> None:
    """One line, and one for each claim that is not confirmed; of a single level all claims."""
    print(f"{join_lines(certificate.level)}: {len(certificate.confirmed)} claims hold")
    for claim in certificate.confirmed if every_claim else ():
        print(f"  holds      {claim}")
    for finding in certificate.false:
        print(f"  FALSE      {_said(finding)}")
    for finding in certificate.undecided:
        print(f"  undecided  {_said(finding)}")


def _said(finding: Finding) -> str:
    return join_lines(f"{finding.claim}: {finding.found}")
