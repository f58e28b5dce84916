// Compiles the modules of an archive for the Python of a browser: `node compiled.mjs CORE IN OUT`.

import fs from "node:fs";
import path from "node:path";

const [core, packed, compiled] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(path.join(core, "pyodide.mjs"));
const python = await loadPyodide({ indexURL: `${core}/` });
python.FS.writeFile("/in.zip", new Uint8Array(fs.readFileSync(packed)));
python.runPython(`
import marshal, zipfile
from importlib.util import MAGIC_NUMBER, source_hash

# A module names its source by a hash that nobody checks, so that the same source gives the same file.
UNCHECKED = (1).to_bytes(4, "little")
with zipfile.ZipFile("/in.zip") as packed, zipfile.ZipFile("/out.zip", "w") as compiled:
    for info in packed.infolist():
        content = packed.read(info)
        if info.filename.endswith(".py") and not info.filename.startswith("anyio/"):  # it reads its own source
            code = compile(content, info.filename, "exec", dont_inherit=True)
            content = MAGIC_NUMBER + UNCHECKED + source_hash(content) + marshal.dumps(code)
            info.filename += "c"
        compiled.writestr(zipfile.ZipInfo(info.filename, info.date_time), content, zipfile.ZIP_DEFLATED, 9)
`);
fs.writeFileSync(compiled, python.FS.readFile("/out.zip"));
process.exit(0);
