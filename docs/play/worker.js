// A Python in a worker: the table of the page, or an engine that plays at it.

import { loadPyodide } from "./core/pyodide.mjs";
import { loadSearch } from "./search.js";

const replies = new Map(); // what waits for an engine's printed answer, by number
let python, search, table, engine, asked = 0, engines = null;

const fetched = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());

async function start(does) {
  const told = (stage) => postMessage({ stage });
  told("python");
  const [loaded, packed, module] = await Promise.all([
    loadPyodide({ indexURL: new URL("./core/", import.meta.url).href }),
    fetched(new URL("./core/table.zip", import.meta.url)),
    loadSearch(new URL("./core/search.wasm", import.meta.url)),
  ]);
  [python, search] = [loaded, module];
  told("table");
  python.unpackArchive(packed, "zip", { extractDir: "/lib/python3.14/site-packages" });
  await does();
  told("ready");
}

// The table

/** Bring what was written to where the browser keeps it; where it cannot, say so and go on. */
const keep = () => new Promise((done) => python.FS.syncfs(false, (error) => {
  if (error) postMessage({ fault: `not kept: ${error}` });
  done();
}));

async function startTable({ language, port }) {
  engines = port; // the window that starts workers, for a worker in a worker may not
  engines.onmessage = ({ data: { number, line, printed, failed } }) => {
    if (line !== undefined) replies.get(number)?.heard(`${line}\n`);
    else if (printed !== undefined) replies.get(number)?.done(printed);
    else if (failed !== undefined) replies.get(number)?.failed(new Error(failed));
  };
  await start(async () => {
    python.FS.mkdirTree("/games");
    python.FS.mount(python.FS.filesystems.IDBFS, {}, "/games");
    await new Promise((done, failed) => python.FS.syncfs(true, (error) => (error ? failed(error) : done())));
    const begun = python.pyimport("jetan_table.extras.site.begun");
    table = begun.table("/games", language, keep, beginEngine, analyse, search);
    table.run().catch((error) => postMessage({ fault: String(error) }));
  });
}

function beginEngine(heard) {
  const number = ++asked;
  const kept = heard.copy ? heard.copy() : heard;
  replies.set(number, { heard: kept });
  engines.postMessage({ number, does: "engine" });
  return {
    send: (text) => engines.postMessage({ number, text }),
    terminate: () => {
      replies.delete(number);
      engines.postMessage({ number, does: "end" });
    },
  };
}

function analyse(text, language, nodes) {
  const number = ++asked;
  return new Promise((done, failed) => {
    replies.set(number, { done, failed });
    engines.postMessage({ number, does: "analyse", text, language, nodes });
  }).finally(() => {
    replies.delete(number);
    engines.postMessage({ number, does: "end" });
  });
}

async function ask({ method, path, query, headers, body }, port) {
  const number = ++asked;
  port.onmessage = () => table.leave(number);
  const began = (status, told) => port.postMessage({ status, headers: told.toJs() });
  const sent = (part) => port.postMessage({ part: part.toJs() });
  try {
    await table.ask(number, method, path, query, python.toPy(headers), python.toPy(new Uint8Array(body)), began, sent);
    port.postMessage({ end: true });
  } catch (error) {
    port.postMessage({ fault: String(error) });
  }
}

// An engine

async function startEngine() {
  await start(() => {
    engine = python.pyimport("jetan_table.extras.site.engine");
  });
}

let playing = null;

function tellEngine(text) {
  playing ??= engine.EngineInWorker((line) => postMessage({ line }), search);
  playing.feed(text);
}

function run({ text, language, nodes }) {
  try {
    postMessage({ printed: engine.analysed(text, language, nodes, search) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
}

let ready = null;

onmessage = async ({ data, ports }) => {
  if (data.does === "table") ready = startTable({ ...data, port: ports[0] });
  else if (data.does === "engine") ready = startEngine();
  try {
    await ready;
  } catch (error) {
    if (data.does === "table" || data.does === "engine") postMessage({ fault: String(error) });
    return;
  }
  if (data.does === "ask") ask(data, ports[0]);
  else if (data.does === "analyse") run(data);
  else if (data.text !== undefined) tellEngine(data.text);
};
