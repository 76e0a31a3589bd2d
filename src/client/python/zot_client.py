"""zot as a part of a Python program: commands as methods, events as an iterator, dialogs and tools as functions.

Python 3.8 or newer, standard library only. The wire is described in src/surfaces/rpc/README.md.

    from zot_client import Zot

    with Zot(args=["--provider", "offline"]) as zot:
        print(zot.ask("say hello"))
"""

import base64
import binascii
import json
import queue
import subprocess
import threading

READY_DEADLINE = 30.0
COMMAND_DEADLINE = 30.0
CLOSE_DEADLINE = 10.0
KILL_AFTER = 5.0
EVENTS_WAITING_MAX = 10_000
FRAME_MAX_BYTES = 64 * 1024 * 1024
CHUNK_MAX_BYTES = 256 * 1024
CHUNKS_MAX = 256
STDERR_MAX_LINES = 50


class ZotError(Exception):
    """Something with zot did not work. `code`: start, ended, protocol, timeout, command, overflow."""

    def __init__(self, code, message, reason=None):
        super().__init__(message)
        self.code = code
        self.reason = reason


class Prompt:
    """A prompt that zot has accepted."""

    def __init__(self, id_, waiting):
        self.id = id_
        self._waiting = waiting
        self._result = None

    def result(self, timeout=None):
        """How it ended: a dict with `status` (completed, aborted, error) and, for an error, `error`."""
        if self._result is None:
            self._result = _get(self._waiting, timeout, "the prompt has no result yet")
        return self._result


class Zot:
    """`zot rpc` as a child process.

    dialogs: functions by method name. `select(title, options)` and `input(title, placeholder, secret)` and
    `editor(title, prefill)` give a text, `confirm(title, message)` gives a bool, `ask(questions)` a list of
    answers; None means that the user does not answer. They run in threads of their own.
    """

    def __init__(self, command="zot", args=(), cwd=None, env=None, dialogs=None, command_timeout=COMMAND_DEADLINE,
                 message_updates="delta"):
        self._dialogs = dict(dialogs or {})
        self._timeout = command_timeout
        self._tools = {}
        self._lock = threading.Lock()
        self._last_id = 0
        self._responses = {}
        self._results = {}
        self._streams = []
        self._open = set()  # dialogs and tool calls that zot waits for
        self._chunks = None
        self._end = None
        self._answer = ""
        self._stderr = []
        self._ready = threading.Event()
        try:
            self._process = subprocess.Popen([command, "rpc", *args], cwd=cwd, env=env, stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise ZotError("start", f"{command} could not be started: {error}") from error
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        threading.Thread(target=self._read_stderr, daemon=True).start()
        try:
            self._begin(message_updates)
        except ZotError as error:
            self.close(0)
            raise ZotError("start", str(error)) from error

    def _begin(self, message_updates):
        if not self._ready.wait(READY_DEADLINE):
            raise ZotError("start", "zot did not get ready")
        if self._end is not None:
            raise self._end
        self.request("negotiate_protocol", protocolVersion=2)
        self.request("set_event_filter", events=None, messageUpdates=message_updates)
        if "ask" in self._dialogs:
            self.request("set_ask_dialog", enabled=True)

    # ------------------------------------------------------------------ commands

    def request(self, type_, timeout=None, **fields):
        """Sends a command and gives the `data` of its response. Raises ZotError "command" with zot's text."""
        return self._request(self._next_id(), type_, timeout, fields)

    def prompt(self, message, **options):
        """Says something; returns a Prompt when zot has taken it. options: images, streamingBehavior."""
        id_ = self._next_id()
        waiting = self._results[id_] = queue.Queue()
        try:
            data = self._request(id_, "prompt", None, {"message": message, **options})
        except ZotError:
            self._results.pop(id_, None)
            raise
        if isinstance(data, dict) and data.get("agentInvoked") is False:
            _put(self._results, id_, {"agentInvoked": False, "status": "completed", "sessionSettled": True})
        return Prompt(id_, waiting)

    def ask(self, message, timeout=None, **options):
        """Says something and waits for the answer, as text; "" for a command that runs without the model.

        Raises ZotError when there is none. Of prompts that are said in one run each gets the last answer of that run.
        """
        result = self.prompt(message, **options).result(timeout)
        if result["status"] == "error":
            error = result.get("error") or {}
            raise ZotError("command", error.get("message", "the prompt failed"), error.get("code"))
        if result["status"] == "aborted":
            raise ZotError("command", "the prompt was aborted", "aborted")
        return self._answer if result.get("agentInvoked") is True else ""

    def steer(self, message):
        self.request("steer", message=message)

    def follow_up(self, message):
        self.request("follow_up", message=message)

    def abort(self):
        self.request("abort")

    def state(self):
        return self.request("get_state")

    def messages(self):
        return self.request("get_messages")["messages"]

    def set_model(self, provider, model):
        return self.request("set_model", provider=provider, modelId=model)

    def new_session(self):
        self.request("new_session")

    def bash(self, command, timeout=None):
        return self.request("bash", timeout=timeout or 1e9, command=command)

    def set_host_tools(self, tools):
        """The tools of this program from now on.

        Each is a dict with name, description, parameters (JSON Schema), optionally loadMode and hidden, and `run`: a
        function of the arguments (a dict) that gives a text, or a dict with `content`. One that raises is a tool error.
        """
        self._tools = {tool["name"]: tool["run"] for tool in tools}
        self.request("set_host_tools", tools=[{k: v for k, v in tool.items() if k != "run"} for tool in tools])

    # ------------------------------------------------------------------ events

    def events(self):
        """Everything zot tells from now on: `for frame in zot.events(): ...`. Ends with zot."""
        stream = queue.Queue(EVENTS_WAITING_MAX)
        with self._lock:
            if self._end is None:
                self._streams.append(stream)
            else:
                stream.put(None)

        def frames():
            try:
                while True:
                    frame = stream.get()
                    if frame is None:
                        return
                    if isinstance(frame, ZotError):
                        raise frame
                    yield frame
            finally:
                with self._lock:
                    if stream in self._streams:
                        self._streams.remove(stream)

        return frames()

    # ------------------------------------------------------------------ end

    @property
    def pid(self):
        return self._process.pid

    def close(self, timeout=CLOSE_DEADLINE):
        """Lets zot finish what it was asked, and gives its exit status. After `timeout` it is made to end."""
        try:
            self._process.stdin.close()
        except OSError:
            pass  # zot has ended already, and so has its end of the pipe
        try:
            status = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.terminate()  # this lets it stop its extensions, too
            try:
                status = self._process.wait(KILL_AFTER)
            except subprocess.TimeoutExpired:
                self._process.kill()
                status = self._process.wait()
        self._reader.join(CLOSE_DEADLINE)
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ------------------------------------------------------------------ within

    def _next_id(self):
        with self._lock:
            self._last_id += 1
            return f"p{self._last_id}"

    def _send(self, frame):
        line = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        try:
            with self._lock:
                self._process.stdin.write(line)
                self._process.stdin.flush()
        except (OSError, ValueError):
            pass  # zot is gone; whoever waits is told by the end of its output

    def _request(self, id_, type_, timeout, fields):
        if self._end is not None:
            raise self._end
        waiting = self._responses[id_] = queue.Queue()
        self._send({"id": id_, "type": type_, **fields})
        try:
            frame = _get(waiting, timeout or self._timeout, f"zot did not answer {type_}")
        finally:
            self._responses.pop(id_, None)
        if frame.get("success") is True:
            return frame.get("data")
        raise ZotError("command", str(frame.get("error")), frame.get("code"))

    def _read(self):
        error = None
        try:
            # Only LF ends a line: iterating over text would also split at other characters.
            for line in iter(self._process.stdout.readline, b""):
                self._take_line(line)
        except ZotError as fault:
            error = fault
            self._process.kill()
        status = self._process.wait()
        told = "".join(self._stderr).strip()
        self._over(error or ZotError("ended", f"zot ended with status {status}" + (f": {told}" if told else "")))

    def _read_stderr(self):
        for line in self._process.stderr:
            self._stderr = (self._stderr + [line.decode("utf-8", "replace")])[-STDERR_MAX_LINES:]

    def _take_line(self, line):
        frame = _parsed(line)
        if frame["type"] != "rpc_chunk":
            if self._chunks is not None:
                raise ZotError("protocol", "a frame within a sequence of chunks")
            self._take(frame)
            return
        whole = self._take_chunk(frame)
        if whole is not None:
            self._take(_parsed(whole))

    def _take_chunk(self, frame):
        count, length, index = frame.get("count"), frame.get("byteLength"), frame.get("index")
        head = (frame.get("chunkId"), count, length)
        if not (isinstance(count, int) and 2 <= count <= CHUNKS_MAX and isinstance(length, int)
                and length <= FRAME_MAX_BYTES):
            raise ZotError("protocol", "rpc_chunk: count or byteLength")
        if self._chunks is None:
            self._chunks = (head, [])
        if self._chunks[0] != head or index != len(self._chunks[1]):
            raise ZotError("protocol", "rpc_chunk: out of order")
        try:
            part = base64.b64decode(frame.get("data", ""), validate=True)
        except (binascii.Error, TypeError, ValueError):
            raise ZotError("protocol", "rpc_chunk: data") from None
        if not 0 < len(part) <= CHUNK_MAX_BYTES:
            raise ZotError("protocol", "rpc_chunk: size of a part")
        self._chunks[1].append(part)
        if len(self._chunks[1]) < count:
            return None
        whole, self._chunks = b"".join(self._chunks[1]), None
        if len(whole) != length:
            raise ZotError("protocol", "rpc_chunk: byteLength")
        return whole

    def _take(self, frame):
        type_ = frame["type"]
        if type_ == "ready":
            self._ready.set()
        elif type_ == "response":
            _put(self._responses, frame.get("id"), frame)
            return
        elif type_ == "prompt_result":
            _put(self._results, frame.get("id"), frame)
        elif type_ == "message_end" and frame.get("message", {}).get("role") == "assistant":
            blocks = frame["message"].get("content") or []
            self._answer = "".join(block.get("text", "") for block in blocks if block.get("type") == "text")
        elif type_ == "extension_ui_request" and self._take_dialog(frame):
            return
        elif type_ == "host_tool_call":
            self._in_thread(self._run_tool, frame)
            return
        elif type_ == "host_tool_cancel":
            self._open.discard(frame.get("targetId"))
            return
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            try:
                stream.put_nowait(frame)
            except queue.Full:
                self._overflow(stream)

    def _overflow(self, stream):
        with self._lock:
            if stream in self._streams:
                self._streams.remove(stream)
        stream.get_nowait()
        stream.put(ZotError("overflow", f"{EVENTS_WAITING_MAX} events wait to be read"))

    def _take_dialog(self, frame):
        if frame.get("method") == "cancel":
            self._open.discard(frame.get("targetId"))
        if frame.get("method") not in ("select", "confirm", "input", "editor", "ask"):
            return False
        self._in_thread(self._answer_dialog, frame)
        return True

    def _answer_dialog(self, frame):
        id_, method = frame["id"], frame["method"]
        answer = {"cancelled": True}
        try:
            handler = self._dialogs.get(method)
            given = None if handler is None else handler(*_dialog_arguments(method, frame))
            if given is not None:
                answer = {{"confirm": "confirmed", "ask": "answers"}.get(method, "value"): given}
        finally:
            # A handler that raises has not answered, and its error is its owner's.
            if self._take_open(id_):
                self._send({"type": "extension_ui_response", "id": id_, **answer})

    def _run_tool(self, frame):
        id_ = frame["id"]
        try:
            given = self._tools[frame["toolName"]](frame.get("arguments") or {})
            result = given if isinstance(given, dict) else _text_result(str(given))
        except Exception as error:  # whatever the tool raises is its answer to the model
            result = {**_text_result(f"{type(error).__name__}: {error}"), "isError": True}
        if self._take_open(id_):
            self._send({"type": "host_tool_result", "id": id_, "result": result})

    def _take_open(self, id_):
        """False: it was cancelled, and an answer counts for nothing."""
        if id_ not in self._open:
            return False
        self._open.discard(id_)
        return True

    def _in_thread(self, work, frame):
        self._open.add(frame.get("id"))
        threading.Thread(target=work, args=(frame,), daemon=True).start()

    def _over(self, error):
        with self._lock:
            self._end = error
            streams, self._streams = self._streams, []
        self._ready.set()
        for waiting in [*self._responses.values(), *self._results.values()]:
            waiting.put(error)
        for stream in streams:
            try:
                stream.put_nowait(None)
            except queue.Full:
                stream.get_nowait()
                stream.put_nowait(None)


def _parsed(line):
    try:
        frame = json.loads(line.decode("utf-8"))
    except ValueError:
        frame = None
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        raise ZotError("protocol", f"not a frame: {line[:200]!r}")
    return frame


def _get(waiting, timeout, text):
    try:
        # An endless wait could not be interrupted by Ctrl-C everywhere.
        got = waiting.get(timeout=timeout if timeout is not None else 1e6)
    except queue.Empty:
        raise ZotError("timeout", text) from None
    if isinstance(got, ZotError):
        raise got
    return got


def _put(table, id_, frame):
    waiting = table.pop(id_, None)
    if waiting is not None:
        waiting.put(frame)


def _dialog_arguments(method, frame):
    if method == "select":
        return frame.get("title", ""), frame.get("options", [])
    if method == "confirm":
        return frame.get("title", ""), frame.get("message", "")
    if method == "input":
        return frame.get("title", ""), frame.get("placeholder", ""), frame.get("secret", False)
    if method == "editor":
        return frame.get("title", ""), frame.get("prefill", "")
    return (frame.get("questions", []),)


def _text_result(text):
    return {"content": [{"type": "text", "text": text}]}
