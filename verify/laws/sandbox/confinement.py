"""What a process of foreign code cannot do, said to the operating system before any foreign code is loaded.

It leads a session and process group of its own, dies with its parent, and has limits on memory, time, files and file
sizes. On Linux a filter of system calls refuses it other programs, signals, sockets, and every change of a file
(`EPERM`), whatever code makes the call; elsewhere the refusals of `laws.sandbox.refusals` stand alone. Threads and
copies of the process are refused from when the code is loaded on, in each copy that calls it.
"""

import ctypes
import functools
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

_MEMORY = 4 << 30
_OPEN_FILES = 64

_SET_PARENT_DEATH_SIGNAL = 1
_SET_NO_NEW_PRIVILEGES = 38
_SET_SECCOMP = 22
_FILTER = 2

_LOAD, _IF_EQUAL, _IF_ANY_BIT, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06  # instructions of a filter
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # EPERM
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in the data of a system call
_X32 = 0x40000000  # the other numbering of system calls on x86-64

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_COPIES = "copies and threads"

_REFUSED: Mapping[str, tuple[int, Mapping[str, tuple[int, ...]], Mapping[int, int]]] = {
    # architecture: its number, the system calls refused, and those refused with flags that write, by place of the flags
    "x86_64": (
        0xC000003E,
        {
            _COPIES: (56, 435),  # clone, clone3
            "programs": (57, 58, 59, 322),  # fork, vfork, execve, execveat
            "signals": (62, 129, 200, 234, 297, 424, 434),  # kill, tkill, tgkill, sigqueueinfo, pidfd_*
            "other memory": (101, 310, 311, 312, 438),  # ptrace, process_vm_*, kcmp, pidfd_getfd
            "groups, limits, priorities": (109, 112, 141, 160, 302, 203, 308, 272),  # setpgid … setns, unshare
            "sockets": (41, 42, 43, 49, 50, 53, 288),  # socket, connect, accept, bind, listen, socketpair, accept4
            "files": (76, 77, 82, 83, 84, 85, 86, 87, 88, 90, 91, 92, 93, 94, 132, 133, 161, 165, 188, 189, 190),
            "files by descriptor": (235, 258, 259, 260, 261, 263, 264, 265, 266, 268, 280, 285, 316, 437, 452),
            "kernel": (246, 248, 249, 250, 298, 321, 323, 425, 426, 427),  # keys, perf, bpf, userfaultfd, io_uring
        },
        {2: 1, 257: 2},  # open, openat
    ),
    "aarch64": (
        0xC00000B7,
        {
            _COPIES: (220, 435),
            "programs": (221, 281),
            "signals": (129, 130, 131, 138, 240, 424, 434),
            "other memory": (117, 270, 271, 272, 438),
            "groups, limits, priorities": (97, 122, 140, 154, 157, 164, 261, 268),
            "sockets": (198, 199, 200, 201, 202, 203, 242),
            "files": (5, 6, 7, 33, 34, 35, 36, 37, 38, 40, 45, 46, 47, 51, 52, 53, 54, 55, 88, 276),
            "files by descriptor": (437, 452),
            "kernel": (104, 217, 218, 219, 241, 280, 282, 425, 426, 427),
        },
        {56: 2},
    ),
}


class _Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("then", ctypes.c_ubyte), ("other", ctypes.c_ubyte), ("k", ctypes.c_uint))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.POINTER(_Instruction)))


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends, where the system can (Linux)."""
    if sys.platform == "linux":
        with suppress(OSError):
            _library().prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if hasattr(os, "getppid") and os.getppid() != parent:  # it ended before that was said
        os._exit(2)


def set_apart(parent: int, output: int, seconds: int, memory: int = _MEMORY) -> None:
    """Have this process lead a group of its own, read nothing, print to a descriptor, end with its parent, be limited.

    Args:
        parent: its process id.
        output: the descriptor.
        seconds: of processor time, but for some that ending takes.
        memory: the bytes that it may add.
    """
    os.setsid()
    for end, place in ((os.open(os.devnull, os.O_RDONLY), 0), (output, 1), (output, 2)):
        os.dup2(end, place)
    die_with_parent(parent)
    _limit_resources(seconds, memory)


def _limit_resources(seconds: int, memory: int) -> None:
    """Bound what this process adds to its memory, its processor time, open files and the size of written files."""
    try:
        import resource  # noqa: PLC0415 not on every system
    except ImportError:
        return
    limits = (
        (resource.RLIMIT_AS, _present_memory() + memory),
        (resource.RLIMIT_CPU, seconds + 5),
        (resource.RLIMIT_NOFILE, _next_descriptor() + _OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, limit in limits:
        with suppress(ValueError, OSError):  # a lower limit is in force already
            resource.setrlimit(kind, (limit, limit))


def _present_memory() -> int:
    """The bytes of address space that this process has already: a forked one has its parent's."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 one line of the kernel
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _next_descriptor() -> int:
    """The number above those of all open files: a forked process has its parent's, and a notebook's are many."""
    try:
        return max((int(name) for name in os.listdir("/proc/self/fd")), default=-1) + 1  # noqa: PTH208 names alone
    except OSError:
        return 0


def confine() -> bool:
    """Refuse this process, for good, the system calls by which it could reach anything outside; whether that worked.

    It may go on to start threads, and copies of itself, which stay in its group.
    """
    if _KNOWN is None:
        return False
    number, refused, writing = _KNOWN
    calls = [call for what, calls in refused.items() if what != _COPIES for call in calls]
    return _filtered(_program(number, calls, writing))


def refuse_processes() -> bool:
    """Refuse this process, for good, to start a thread or a copy of itself; whether that worked."""
    return _NO_COPIES is not None and _filtered(_NO_COPIES)


@functools.cache
def _library() -> Any:
    return ctypes.CDLL(None)


def _filtered(program: _Program) -> bool:
    if _library().prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(_library().prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0) == 0)


def _program(number: int, calls: Sequence[int], writing: Mapping[int, int]) -> _Program:
    instructions = [_Instruction(*one) for one in _instructions(number, calls, writing)]
    return _Program(len(instructions), (_Instruction * len(instructions))(*instructions))


def _instructions(number: int, calls: Sequence[int], writing: Mapping[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """The filter: each test jumps over the refusal that follows it where the call is another one."""
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _IF_EQUAL, 1, 0, number
    yield _RETURN, 0, 0, _REFUSE
    yield _LOAD, 0, 0, _NUMBER
    yield _IF_AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _REFUSE
    for call in sorted(calls):
        yield _IF_EQUAL, 0, 1, call
        yield _RETURN, 0, 0, _REFUSE
    for call, place in writing.items():
        yield _IF_EQUAL, 0, 4, call
        yield _LOAD, 0, 0, _ARGUMENTS + 8 * place
        yield _IF_ANY_BIT, 0, 1, _WRITING
        yield _RETURN, 0, 0, _REFUSE
        yield _RETURN, 0, 0, _ALLOW
    yield _RETURN, 0, 0, _ALLOW


_KNOWN = _REFUSED.get(os.uname().machine) if sys.platform == "linux" else None
_NO_COPIES = _program(_KNOWN[0], _KNOWN[1][_COPIES], {}) if _KNOWN else None
"""Made once: each copy of a process asks for it."""
