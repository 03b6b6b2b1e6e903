"""A host of our own for FMUs, versions 2 and 3: reads the archive, loads the binary, drives it by model exchange and by
co-simulation. The two versions differ in the names and arguments of calls alone: a class each."""
import ctypes as c
import pathlib
import zipfile
from xml.etree import ElementTree

OK, DISCARD = 0, 2
D, REFS = c.c_double, c.c_uint32


class Stopped(Exception):
    """The FMU has ended the motion."""


def doubles(values):
    return (D * max(1, len(values)))(*values)


class Fmu:
    """What both versions have in common: the description, values by name, states."""

    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
            self.names = archive.namelist()
        self.folder = pathlib.Path(folder)
        self.xml = ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.identifier = self.xml.find("ModelExchange").get("modelIdentifier")
        self.variables = self.read_variables()
        self.library = c.CDLL(str(self.folder / "binaries" / self.PLATFORM / f"{self.identifier}.so"))
        self.messages = []
        by_reference = {v["reference"]: v for v in self.variables}
        rates = [by_reference[r] for r in self.derivative_references()]
        self.states = [v["derivative"] for v in rates]
        self.rate_references = [v["reference"] for v in rates]
        self.outputs = [v for v in self.variables if v["causality"] == "output"]

    def reference(self, name):
        return next(v["reference"] for v in self.variables if v["name"] == name)

    def call(self, name, *words, good=(OK,)):
        status = getattr(self.library, f"{self.PREFIX}{name}")(self.instance, *words)
        if status not in good:
            raise RuntimeError(f"{name}: status {status}, {self.messages}")
        return status

    def get(self, *names):
        references = (REFS * len(names))(*(self.reference(n) for n in names))
        values = (D * len(names))()
        self.get_values(references, len(names), values)
        return list(values)

    def set(self, name, value):
        self.set_values((REFS * 1)(self.reference(name)), 1, doubles([value]))

    def derivatives(self, t, y):
        out = (D * len(y))()
        self.call("SetTime", D(t))
        self.call("SetContinuousStates", doubles(y), c.c_size_t(len(y)))
        if self.call(self.DERIVATIVES, out, c.c_size_t(len(y)), good=(OK, DISCARD)) == DISCARD:
            raise ArithmeticError("no derivatives there")
        return list(out)

    def continuous_states(self):
        out = (D * len(self.states))()
        self.call("GetContinuousStates", out, c.c_size_t(len(self.states)))
        return list(out)

    def indicators(self):
        out = (D * max(1, self.events))()
        self.call("GetEventIndicators", out, c.c_size_t(self.events))
        return list(out)[:self.events]

    def state(self):
        out = c.c_void_p()
        self.call(self.GET_STATE, c.byref(out))
        return out

    def restore(self, state):
        self.call(self.SET_STATE, state)

    def bytes_of(self, state):
        size = c.c_size_t()
        self.call(self.STATE_SIZE, state, c.byref(size))
        out = (c.c_char * size.value)()
        self.call(self.SERIALIZE, state, out, size)
        return bytes(out)

    def state_of(self, text):
        out = c.c_void_p()
        self.call(self.DESERIALIZE, text, c.c_size_t(len(text)), c.byref(out))
        return out


class Fmi2(Fmu):
    PREFIX, PLATFORM, DERIVATIVES = "fmi2", "linux64", "GetDerivatives"
    GET_STATE, SET_STATE, STATE_SIZE = "GetFMUstate", "SetFMUstate", "SerializedFMUstateSize"
    SERIALIZE, DESERIALIZE = "SerializeFMUstate", "DeSerializeFMUstate"
    FUNCTIONS = """GetTypesPlatform GetVersion SetDebugLogging Instantiate FreeInstance SetupExperiment
        EnterInitializationMode ExitInitializationMode Terminate Reset GetReal GetInteger GetBoolean GetString SetReal
        SetInteger SetBoolean SetString GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate
        DeSerializeFMUstate GetDirectionalDerivative EnterEventMode NewDiscreteStates EnterContinuousTimeMode
        CompletedIntegratorStep SetTime SetContinuousStates GetDerivatives GetEventIndicators GetContinuousStates
        GetNominalsOfContinuousStates SetRealInputDerivatives GetRealOutputDerivatives DoStep CancelStep GetStatus
        GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus""".split()

    class Callbacks(c.Structure):
        _fields_ = [("logger", c.c_void_p), ("allocate", c.c_void_p), ("free", c.c_void_p), ("finished", c.c_void_p),
                    ("environment", c.c_void_p)]

    class EventInfo(c.Structure):
        _fields_ = [(n, c.c_int) for n in ("again", "terminate", "nominals", "values", "has_next")] + [("next", D)]

    def read_variables(self):
        found = []
        for v in self.xml.find("ModelVariables"):
            real = v.find("Real")
            found.append({"name": v.get("name"), "reference": int(v.get("valueReference")), **v.attrib,
                          "start": real.get("start"), "unit": real.get("unit"), "index": real.get("derivative")})
        for v in found:
            v["derivative"] = found[int(v["index"]) - 1]["name"] if v["index"] else None
        return found

    def derivative_references(self):
        return [self.variables[int(u.get("index")) - 1]["reference"] for u in self.xml.find("ModelStructure/Derivatives")]

    def open(self, exchange=True, tolerance=1e-13, guid=None):
        self.events = int(self.xml.get("numberOfEventIndicators"))
        self.callbacks = self.Callbacks()
        instantiate = self.library.fmi2Instantiate
        instantiate.restype = c.c_void_p
        token = (guid or self.xml.get("guid")).encode()
        found = instantiate(b"it", 0 if exchange else 1, token, None, c.byref(self.callbacks), 0, 0)
        if not found:
            raise RuntimeError("no instance")
        self.instance = c.c_void_p(found)
        self.start = float(self.xml.find("DefaultExperiment").get("startTime"))
        self.end = float(self.xml.find("DefaultExperiment").get("stopTime"))
        self.call("SetupExperiment", 1, D(tolerance), D(self.start), 0, D(0))
        self.call("EnterInitializationMode")

    def begin(self, exchange=True):
        self.call("ExitInitializationMode")
        if exchange:
            self.update()
            self.call("EnterContinuousTimeMode")

    def get_values(self, references, count, values):
        self.call("GetReal", references, c.c_size_t(count), values)

    def set_values(self, references, count, values):
        self.call("SetReal", references, c.c_size_t(count), values)

    def update(self):
        """New discrete states; whether the continuous ones have changed."""
        info = self.EventInfo()
        self.call("NewDiscreteStates", c.byref(info))
        self.next_event = info.next if info.has_next else float("inf")
        if info.terminate:
            raise Stopped
        return bool(info.values)

    def completed(self):
        event, terminate = c.c_int(), c.c_int()
        self.call("CompletedIntegratorStep", 1, c.byref(event), c.byref(terminate))
        return bool(event.value)

    def do_step(self, t, step):
        if self.call("DoStep", D(t), D(step), 1, good=(OK, DISCARD)) == DISCARD:
            over, last = c.c_int(), D()
            self.call("GetBooleanStatus", 3, c.byref(over))
            self.call("GetRealStatus", 2, c.byref(last))
            raise Stopped(last.value) if over.value else RuntimeError("a step was discarded")

    def directional(self, unknowns, knowns, seed):
        out = (D * len(unknowns))()
        u, k = ((REFS * len(x))(*map(self.reference, x)) for x in (unknowns, knowns))
        self.call("GetDirectionalDerivative", u, c.c_size_t(len(unknowns)), k, c.c_size_t(len(knowns)), doubles(seed), out)
        return list(out)

    def close(self):
        self.call("Terminate")
        self.library.fmi2FreeInstance(self.instance)


TYPES = "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Clock".split()


class Fmi3(Fmu):
    PREFIX, PLATFORM, DERIVATIVES = "fmi3", "x86_64-linux", "GetContinuousStateDerivatives"
    GET_STATE, SET_STATE, STATE_SIZE = "GetFMUState", "SetFMUState", "SerializedFMUStateSize"
    SERIALIZE, DESERIALIZE = "SerializeFMUState", "DeserializeFMUState"
    FUNCTIONS = """GetVersion SetDebugLogging InstantiateModelExchange InstantiateCoSimulation
        InstantiateScheduledExecution FreeInstance EnterInitializationMode ExitInitializationMode EnterEventMode Terminate
        Reset GetNumberOfVariableDependencies GetVariableDependencies GetFMUState SetFMUState FreeFMUState
        SerializedFMUStateSize SerializeFMUState DeserializeFMUState GetDirectionalDerivative GetAdjointDerivative
        EnterConfigurationMode ExitConfigurationMode GetIntervalDecimal GetIntervalFraction GetShiftDecimal
        GetShiftFraction SetIntervalDecimal SetIntervalFraction SetShiftDecimal SetShiftFraction EvaluateDiscreteStates
        UpdateDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates
        GetContinuousStateDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates
        GetNumberOfEventIndicators GetNumberOfContinuousStates EnterStepMode GetOutputDerivatives DoStep
        ActivateModelPartition""".split() + [f"Get{t}" for t in TYPES] + [f"Set{t}" for t in TYPES]

    def read_variables(self):
        found = [{"reference": int(v.get("valueReference")), **v.attrib} for v in self.xml.find("ModelVariables")]
        by_reference = {v["reference"]: v["name"] for v in found}
        for v in found:
            v["derivative"] = by_reference[int(v["derivative"])] if "derivative" in v else None
        return found

    def derivative_references(self):
        return [int(u.get("valueReference")) for u in self.xml.find("ModelStructure") if u.tag == "ContinuousStateDerivative"]

    def open(self, exchange=True, tolerance=1e-13, guid=None):
        token = (guid or self.xml.get("instantiationToken")).encode()
        none, no = c.c_void_p(), c.c_bool(False)
        if exchange:
            make = self.library.fmi3InstantiateModelExchange
            words = [b"it", token, None, no, no, none, none]
        else:
            make = self.library.fmi3InstantiateCoSimulation
            words = [b"it", token, None, no, no, no, no, none, c.c_size_t(0), none, none, none]
        make.restype = c.c_void_p
        found = make(*words)
        if not found:
            raise RuntimeError("no instance")
        self.instance = c.c_void_p(found)
        count = c.c_size_t()
        self.call("GetNumberOfEventIndicators", c.byref(count))
        self.events = count.value
        self.start = float(self.xml.find("DefaultExperiment").get("startTime"))
        self.end = float(self.xml.find("DefaultExperiment").get("stopTime"))
        self.call("EnterInitializationMode", c.c_bool(True), D(tolerance), D(self.start), no, D(0))

    def begin(self, exchange=True):
        self.call("ExitInitializationMode")
        if exchange:
            self.update()
            self.call("EnterContinuousTimeMode")

    def get_values(self, references, count, values):
        self.call("GetFloat64", references, c.c_size_t(count), values, c.c_size_t(count))

    def set_values(self, references, count, values):
        self.call("SetFloat64", references, c.c_size_t(count), values, c.c_size_t(count))

    def update(self):
        again, terminate, nominals, values, has_next = (c.c_bool() for _ in range(5))
        following = D()
        self.call("UpdateDiscreteStates", *map(c.byref, (again, terminate, nominals, values, has_next, following)))
        self.next_event = following.value if has_next.value else float("inf")
        if terminate.value:
            raise Stopped
        return values.value

    def completed(self):
        event, terminate = c.c_bool(), c.c_bool()
        self.call("CompletedIntegratorStep", c.c_bool(True), c.byref(event), c.byref(terminate))
        return event.value

    def do_step(self, t, step):
        event, over, early, last = c.c_bool(), c.c_bool(), c.c_bool(), D()
        self.call("DoStep", D(t), D(step), c.c_bool(True), *map(c.byref, (event, over, early, last)))
        if over.value:
            raise Stopped(last.value)

    def directional(self, unknowns, knowns, seed, name="GetDirectionalDerivative"):
        adjoint = name == "GetAdjointDerivative"
        count = len(knowns) if adjoint else len(unknowns)
        out = (D * count)()
        u, k = ((REFS * len(x))(*map(self.reference, x)) for x in (unknowns, knowns))
        self.call(name, u, c.c_size_t(len(unknowns)), k, c.c_size_t(len(knowns)), doubles(seed), c.c_size_t(len(seed)),
                  out, c.c_size_t(count))
        return list(out)

    def close(self):
        self.call("Terminate")
        self.library.fmi3FreeInstance(self.instance)


VERSIONS = {2: Fmi2, 3: Fmi3}


# ---- Motions -----------------------------------------------------------------------------------


def row_of(fmu, t):
    names = [*fmu.states, *(v["name"] for v in fmu.outputs)]
    return {"t": t, **dict(zip(names, fmu.get(*names)))}


def times(fmu, rows):
    return [fmu.end if i == rows - 1 else fmu.start + (fmu.end - fmu.start) * i / (rows - 1) for i in range(rows)]


def by_cosimulation(fmu, rows):
    fmu.open(exchange=False)
    fmu.begin(exchange=False)
    found = [row_of(fmu, fmu.start)]
    try:
        for a, b in zip(times(fmu, rows), times(fmu, rows)[1:]):
            fmu.do_step(a, b - a)
            found.append(row_of(fmu, b))
    except Stopped as stop:
        found.append(row_of(fmu, stop.args[0]))
    fmu.close()
    return found


def extrapolated(f, t, y, h):
    """A step by Gragg's midpoint rule, extrapolated: none of our own methods. The state and the error."""
    table = []
    for k, n in enumerate((2, 4, 6, 8, 10, 12)):
        s = h / n
        before, now = y, [a + s * b for a, b in zip(y, f(t, y))]
        for i in range(1, n):
            before, now = now, [a + 2 * s * b for a, b in zip(before, f(t + i * s, now))]
        row = [[(a + b + s * d) / 2 for a, b, d in zip(before, now, f(t + h, now))]]
        for j in range(k):
            factor = (n / (2, 4, 6, 8, 10, 12)[k - 1 - j]) ** 2 - 1
            row.append([a + (a - b) / factor for a, b in zip(row[j], table[j])])
        last, table = (table[-1] if table else None), row
    return table[-1], max(abs(a - b) / (1 + abs(a)) for a, b in zip(table[-1], last))


def crossed(before, now):
    return any((a < 0) != (b < 0) for a, b in zip(before, now))


def indicators_at(fmu, t, y):
    fmu.call("SetTime", D(t))
    fmu.call("SetContinuousStates", doubles(y), c.c_size_t(len(y)))
    return fmu.indicators()


def located(fmu, t, y, step, before):
    """The part of the step in which an indicator first changes its sign, by halving."""
    low, high = 0.0, step
    while high - low > 1e-15 * max(abs(t), step):
        middle = low + (high - low) / 2
        if middle in (low, high):
            break
        if crossed(before, indicators_at(fmu, t + middle, extrapolated(fmu.derivatives, t, y, middle)[0])):
            high = middle
        else:
            low = middle
    return high


def by_exchange(fmu, rows):
    """A row more, as event mode has left it, where the motion is terminated."""
    fmu.open()
    t, found, h = fmu.start, [], (fmu.end - fmu.start) / 1000
    try:
        fmu.begin()
        y = fmu.continuous_states()
        before = fmu.indicators()
        for goal in times(fmu, rows):
            while t < goal:
                until = min(goal, fmu.next_event)
                step = min(h, until - t)
                try:
                    following, error = extrapolated(fmu.derivatives, t, y, step)
                except ArithmeticError:
                    h = step / 10
                    continue
                if error > 1e-12:
                    h = step / 2
                    continue
                event = crossed(before, indicators_at(fmu, t + step, following))
                if event:
                    part = located(fmu, t, y, step, before)
                    following = extrapolated(fmu.derivatives, t, y, part)[0]
                    t, y = t + part, following
                else:
                    t, y = until if step == until - t else t + step, following
                if error < 1e-14 and step == h and not event:
                    h *= 1.5
                before = indicators_at(fmu, t, y)
                if fmu.completed() or event or t >= fmu.next_event:
                    fmu.call("EnterEventMode")
                    if fmu.update():
                        y = fmu.continuous_states()
                    fmu.call("EnterContinuousTimeMode")
                    before = fmu.indicators()
            found.append(row_of(fmu, goal))
    except Stopped:
        found.append(row_of(fmu, t))
    fmu.close()
    return found


def by_euler(fmu, steps):
    """A host that makes steps of one size by Euler's method and looks at indicators behind each: the time that it gets to."""
    fmu.open()
    t, h = fmu.start, (fmu.end - fmu.start) / steps
    try:
        fmu.begin()
        for i in range(steps):
            y, before = fmu.continuous_states(), fmu.indicators()
            y = [a + h * b for a, b in zip(y, fmu.derivatives(t, y))]
            t = fmu.end if i == steps - 1 else fmu.start + (i + 1) * h
            event = crossed(before, indicators_at(fmu, t, y))
            if fmu.completed() or event:
                fmu.call("EnterEventMode")
                fmu.update()
                fmu.call("EnterContinuousTimeMode")
    except Stopped:
        pass
    fmu.close()
    return t
