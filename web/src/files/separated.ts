/** Separated values (RFC 4180). Programs write commas, semicolons or tabs. */

const SEPARATORS = [',', ';', '\t'];

/** The most frequent separator of the first line. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const times = (one: string): number => line.split(one).length;
  return SEPARATORS.reduce((best, one) => (times(one) > times(best) ? one : best));
}

/** The rows of a text. In quotes, separators and ends of lines are part of a cell. */
export function tableOf(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = (): void => {
    row.push(cell);
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const one = text.charAt(at);
    if (quoted && one === '"' && text[at + 1] === '"') {
      cell += one;
      at += 1;
    } else if (one === '"' && (quoted || cell === '')) quoted = !quoted;
    else if (quoted) cell += one;
    else if (one === separator) endCell();
    else if (one === '\n') endRow();
    else if (one !== '\r') cell += one;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
