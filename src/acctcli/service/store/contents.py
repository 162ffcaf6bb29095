"""What files hold, outside the database: opaque names in a folder, each written whole or not at all.

Content is on the disk under its name before the row that names it is committed, and is removed after the commit that
took its row away. So a crash can leave content that no row names (`strays`), but never a row without its content.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
from collections.abc import Collection, Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, NamedTuple

from acctcli.errors import unwritten
from acctcli.service.problems import DiskFull, Invalid, TooLarge, Unavailable

LARGEST_FILE = 25 * 2**20
DRAFT = ".draft"
# in a folder of contents, how the names of the files begin that say whose they are
SIGN = "books-"


class Content(NamedTuple):
    """Content on the disk: its opaque name, bytes, SHA-256 in hex, and the media type found in it."""

    name: str
    size: int
    sha256: str
    type: str


class Owner(NamedTuple):
    """The books whose content it is: what tells them apart from others, and what people call them."""

    place: str
    name: str


class Contents:
    """A folder of contents, in subfolders by the first two digits of their names; for its owner only.

    Books that keep content here sign the folder: what they do not name may be that of others, who signed it as well.
    """

    def __init__(self, folder: Path, owner: Owner | None = None) -> None:
        self.folder = folder
        self._owner = owner
        self.is_signed = owner is None or os.path.exists(self.sign_of(owner.place))  # noqa: PTH110 - it may be closed

    def keep(self, name: str, chunks: Iterable[bytes], draft_ending: str = DRAFT) -> Content:
        """Write content under a new name and return when it is durable.

        Writers who may write the same content at once have draft endings of their own.
        Raises Invalid for nothing, TooLarge beyond 25 MiB, Unavailable where the disk refuses; nothing is left.
        """
        path = self._path(name)
        draft = path.with_name(path.name + draft_ending)
        try:
            self.sign()
            self._make_room(path)
            content = _write(draft, name, chunks)
            draft.replace(path)
            flush_folders(path.parent, self.folder)
        except OSError as error:
            draft.unlink(missing_ok=True)
            is_full = error.errno in {errno.ENOSPC, errno.EDQUOT}
            raise DiskFull if is_full else Unavailable(f"The content cannot be written: {error.strerror}.") from error
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return content

    def sign(self) -> None:
        """Say in the folder that its owner keeps content there."""
        if self._owner is not None and not self.is_signed:
            make_folder(self.folder)
            settle(self.sign_of(self._owner.place), f"{self._owner.name}\n".encode())
            self.is_signed = True

    def sign_of(self, place: str) -> Path:
        """Return the file that says of books that they keep content here."""
        return self.folder / f"{SIGN}{place}"

    def others(self) -> list[str]:
        """Return what other books are called that keep content here; nobody knows whose unsigned content is."""
        own = self._owner and self.sign_of(self._owner.place)
        found = [path.read_text("utf-8").strip() for path in self.folder.glob(f"{SIGN}*") if path != own]
        return found if found or self.is_signed or self.is_empty() else ["books that have not said so"]

    def is_empty(self) -> bool:
        """Whether there is no content."""
        return next(self.names(), None) is None

    def names(self) -> Iterator[str]:
        """Yield the names of all content."""
        return (path.name for path in self.folder.glob("??/*"))

    def open(self, name: str) -> BufferedReader:
        """Open content for reading; raises FileNotFoundError."""
        return self._path(name).open("rb")

    def remove(self, names: Iterable[str]) -> None:
        """Remove content that no row names any more; what cannot be removed now is a stray later."""
        for name in names:
            with contextlib.suppress(OSError):
                self._path(name).unlink()

    def strays(self, known: Collection[str], before: float) -> Iterator[Path]:
        """Yield what nobody names among files last changed before a moment, in seconds since 1970.

        The moment leaves out content whose row is about to be committed.
        """
        for path in self.folder.glob("??/*"):
            with contextlib.suppress(FileNotFoundError):
                if path.name not in known and path.stat().st_mtime < before:
                    yield path

    def copy(self, names: Iterable[str], target: Contents, *, over: bool = False, linked: bool = False) -> None:
        """Copy content to another folder, where it stays as it is if it is there, or the copy takes its place.

        What is missing here is passed over. Linked content takes no room where both folders are on one disk. Raises
        UsageError when it cannot be written there.
        """
        folders = set()
        for name in names:
            source, copy = self._path(name), target._path(name)
            if source.exists() and (over or not copy.exists()):
                try:
                    target._make_room(copy)
                    _link(source, copy) if linked else _copy(source, copy)
                except OSError as error:
                    if not source.exists():
                        continue  # deleted meanwhile
                    raise unwritten(f"cannot write {target.folder}", error) from error
                folders |= {copy.parent, target.folder}
        flush_folders(*folders)

    def whole(self, name: str, sha256: str | None) -> bytes | None:
        """Return content as it was uploaded; None where it is missing, or something else."""
        try:
            with self.open(name) as stream:
                content = stream.read()
        except OSError:
            return None
        return content if hashlib.sha256(content).hexdigest() == sha256 else None

    def holds(self, name: str, sha256: str | None) -> bool:
        """Whether content is here, and whole; of what has no hash nobody can tell the latter."""
        try:
            with self._path(name).open("rb") as stream:
                return sha256 is None or sha256 == hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:
            return False

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / name

    def _make_room(self, path: Path) -> None:
        make_folder(self.folder)
        make_folder(path.parent)


def _write(path: Path, name: str, chunks: Iterable[bytes]) -> Content:
    from acctcli.service.store.media import HEAD, media_type

    digest, head, size = hashlib.sha256(), b"", 0
    with created(path) as stream:
        for chunk in chunks:
            size += len(chunk)
            if size > LARGEST_FILE:
                raise TooLarge(f"A file may have {LARGEST_FILE // 2**20} MiB.")
            if len(head) < HEAD:
                head += chunk[: HEAD - len(head)]
            digest.update(chunk)
            stream.write(chunk)
    if not size:
        raise Invalid.field("file", "The file is empty.")
    return Content(name, size, digest.hexdigest(), media_type(head))


def _copy(source: Path, target: Path) -> None:
    import shutil

    draft = target.with_name(target.name + DRAFT)
    with source.open("rb") as stream, created(draft) as into:
        shutil.copyfileobj(stream, into)
    draft.replace(target)


def _link(source: Path, target: Path) -> None:
    """Give content, which never changes under its name, another one; on another disk a copy has it."""
    try:
        os.link(source, target)
    except OSError:
        _copy(source, target)


def discard(path: Path) -> None:
    """Remove a file, or a folder with all in it, if it is there."""
    import shutil

    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def created(path: Path) -> Iterator[BinaryIO]:
    """Create a file for its owner only; at the end of the block it is on the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        yield stream
        stream.flush()
        os.fsync(descriptor)


def settle(path: Path, content: bytes) -> bytes:
    """Return what a file holds; one that is not there is made with `content`, for its owner only.

    Several processes may begin at once: the file comes into being whole, and the first one's stays.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        try:
            with created(draft) as stream:
                stream.write(content)
            _name(draft, path)
            flush_folders(path.parent)
        finally:
            draft.unlink(missing_ok=True)
        return path.read_bytes()


def _name(draft: Path, path: Path) -> None:
    """Give a file its name unless another one has it."""
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:
        # a disk without hard links: nearly the same
        if not path.exists():
            draft.replace(path)


def make_folder(folder: Path, *, parents: bool = False) -> None:
    """Make a folder for its owner only, unless there is one, so that it is there after a power cut."""
    if folder.is_dir():
        return
    if parents and not folder.parent.is_dir():
        make_folder(folder.parent, parents=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    flush_folders(folder.parent)


def flush_folders(*folders: Path) -> None:
    """Make new names in folders durable; Windows does so by itself."""
    if os.name == "nt":
        return
    for folder in folders:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
