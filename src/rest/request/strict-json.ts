/** Parses JSON strictly: valid UTF-8, unique names in each object, limited nesting. */
const MAX_DEPTH = 32;

export class JsonError extends Error {}

/** @throws JsonError that says what is wrong */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new JsonError('The request body is not valid UTF-8.');
  }
  checkStructure(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonError('The request could not be parsed as JSON.');
  }
}

/** Checks brackets and the names of members in one pass; `JSON.parse` checks the rest. */
function checkStructure(text: string): void {
  const open: (Set<string> | null)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|["[\]{}]/gs;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const token = match[0];
    // A string without an end. Searching on from each later quote would take quadratic time.
    if (token === '"') return;
    if (token === '{' || token === '[') {
      if (open.push(token === '{' ? new Set() : null) > MAX_DEPTH)
        throw new JsonError(`The request body is nested more than ${MAX_DEPTH} levels deep.`);
    } else if (token === '}' || token === ']') open.pop();
    else if (match[1] !== undefined) {
      const name = unescaped(token.slice(0, -match[1].length));
      const names = open.at(-1);
      if (names?.has(name))
        throw new JsonError(`The member ${name.slice(0, 80)} occurs twice in one object.`);
      names?.add(name);
    }
  }
}

/** `"\u0061"` and `"a"` are the same name. */
function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return JSON.stringify(JSON.parse(name));
  } catch {
    return name;
  }
}
