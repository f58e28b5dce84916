// The search in C, called from a Python in the browser (`ModuleSearch` of engine.py). It has a memory
// of its own: what Python lends it is copied there, and what it changes is copied back.

const long = (number) => BigInt.asUintN(64, BigInt(number));

export async function loadSearch(url) {
  let ask;
  const { instance } = await WebAssembly.instantiate(await (await fetch(url)).arrayBuffer(), { env: { check: (nodes) => ask(nodes) } });
  const c = instance.exports;
  c._initialize();
  const opened = (lent, use) => {
    const seen = lent.getBuffer("u8");
    try { return use(seen.data); } finally { seen.release(); }
  };
  const put = (lent) => opened(lent, (bytes) => {
    const at = c.malloc(bytes.length + 1);
    if (!at) throw new Error("no room for the search");
    new Uint8Array(c.memory.buffer, at, bytes.length).set(bytes);
    return at;
  });
  const lend = (lent, use) => {
    const places = lent.map(put);
    try { return use(...places); } finally { places.forEach(c.free); }
  };
  const back = (lent, at) => opened(lent, (bytes) => bytes.set(new Uint8Array(c.memory.buffer, at, bytes.length)));
  return {
    keep: put,
    newLaw: (...parts) => lend(parts, c.jetan_law_new),
    freeLaw: c.jetan_law_free,
    newTree: (law, keys, net, weights, standing, earlier, count, unseen, seed, most, contempt, plain) =>
      lend([weights, standing, earlier], (...lent) =>
        c.jetan_tree_new(law, keys, ...lent, count, unseen, long(seed), long(most), contempt, Number(plain), net)),
    freeTree: c.jetan_tree_free,
    hint: (tree, probe) => c.jetan_hint(tree, long(probe)),
    nodes: (tree) => Number(c.jetan_nodes(tree)),
    /** Search; false where `check` has stopped it. */
    deepen: (tree, choices, count, depth, worth, askAt, check) => lend([choices, worth], (at, value) => {
      const stack = c.__stack_pointer.value;
      let isStopped = false;
      ask = (nodes) => {
        const next = check(nodes);
        isStopped = next < 0;
        return next;
      };
      try {
        return c.jetan_deepen_asking(tree, at, count, depth, value, askAt);
      } catch (error) {
        if (!isStopped) throw error; // it stops by a trap, and leaves its stack as it was
        c.__stack_pointer.value = stack;
        return 0;
      } finally {
        back(choices, at);
        back(worth, value);
      }
    }),
  };
}
