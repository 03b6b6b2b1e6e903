"""A context of the library, and the lifetimes of all that lives in it.

One call at a time uses a context: a lock sees to that. What Python collects, in any order and in any thread, is
destroyed in the order that C wants: a node is destroyed when it and all that was made from it are gone, and not
while a call is running.
"""
from __future__ import annotations

import collections
import ctypes
import signal
import threading
import warnings
import weakref
from contextlib import contextmanager

from . import errors
from ._library import CODE, PROGRESS, lib

OK = CODE["AH_OK"]


@PROGRESS
def _breathe(user, part, over):
    """Comes ten times a second in long calls: here Python gets to its signal handlers."""


class Node:
    """Something of C that is destroyed once: when nobody holds it, and nothing made from it is left."""

    def __init__(self, session: "Session", pointer: int, destroy, parent: "Node | None"):
        self.session, self.pointer, self.destroy, self.parent = session, pointer, destroy, parent
        self.users = 1
        if parent:
            parent.users += 1

    def owned_by(self, holder) -> "Node":
        """The holder's end is the end of its hold."""
        weakref.finalize(holder, self.session.drop, self)
        return self


class Session:
    """One ah_ctx."""

    def __init__(self):
        options = lib.ah_ctx_defaults()
        options.progress = ctypes.cast(_breathe, ctypes.c_void_p)
        self.ctx = lib.ah_ctx_create(ctypes.byref(options))
        if not self.ctx:
            raise MemoryError("libanholo: out of memory")
        self.lock = threading.Lock()  # not one that can be had twice: a collection inside a call must wait
        self.owner: int | None = None
        self.dropped: collections.deque[Node] = collections.deque()
        self.root = Node(self, self.ctx, lib.ah_ctx_destroy, None)

    def node(self, pointer: int, destroy, parent: Node | None = None) -> Node:
        return Node(self, pointer, destroy, parent or self.root)

    def drop(self, node: Node) -> None:
        self.dropped.append(node)
        if self.lock.acquire(blocking=False):
            try:
                self._sweep()
            finally:
                self.lock.release()

    def _sweep(self) -> None:
        while self.dropped:
            node: Node | None = self.dropped.popleft()
            while node:
                node.users -= 1
                if node.users:
                    break
                node.destroy(node.pointer)
                node = node.parent

    @contextmanager
    def using(self):
        """The context for oneself; what was dropped meanwhile goes."""
        if self.owner == threading.get_ident():
            raise RuntimeError("a model cannot be used by what it calls itself")
        with self.lock:
            self.owner = threading.get_ident()
            try:
                self._sweep()
                yield self.ctx
            finally:
                self.owner = None
        if self.dropped and self.lock.acquire(blocking=False):
            try:
                self._sweep()
            finally:
                self.lock.release()

    def _run(self, function, arguments, refuse: bool):
        """Status and warnings of one call; a failure is raised. Ctrl-C ends it soon."""
        with self.using() as ctx:
            lib.ah_ctx_reset_status(ctx)
            with _interruptible(ctx):
                status = function(*arguments)
            if status != OK and refuse:
                raise errors.error_of(status, ctx)
            return status, [d for d in errors.diagnostics_of(ctx) if d.severity == "warning"]

    def call(self, function, *arguments, refuse: bool = True) -> int:
        """One call that answers with a status: warnings are warned of, failures raised."""
        status, messages = self._run(function, arguments, refuse)
        _warn(messages)
        return status

    def make(self, function, *arguments, destroy, holder, parent: Node | None = None) -> Node:
        """A call whose last argument gives a new object, which lives as long as the holder."""
        out = ctypes.c_void_p()
        _, messages = self._run(function, (*arguments, ctypes.byref(out)), True)
        node = self.node(out.value or 0, destroy, parent).owned_by(holder)
        _warn(messages)
        return node

    def expression(self, function, *arguments) -> int:
        """A call that gives an expression: not AH_NONE."""
        with self.using() as ctx:
            lib.ah_ctx_reset_status(ctx)
            handle = function(*arguments)
            if not handle:
                raise errors.error_of(lib.ah_ctx_status(ctx) or CODE["AH_E_INPUT"], ctx)
        return handle


def _warn(messages) -> None:
    for d in messages:
        warnings.warn(errors.ModelWarning(str(d)), stacklevel=4)


@contextmanager
def _interruptible(ctx):
    """While a call runs in the main thread, Ctrl-C ends the call, and is then what it was before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):  # ignored, or not Python's
        yield
        return
    came = []

    def handler(number, frame):
        came.append((number, frame))
        lib.ah_ctx_interrupt(ctx)

    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            lib.ah_ctx_reset_status(ctx)
            before(*came[0])
