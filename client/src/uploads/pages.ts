/** Which pages of a browser live, so that no two of them continue the same upload. */

const NAME = 'moorage-client page';
const RESTORING = 'moorage-client restores';

/** Absent outside browsers, and on pages without https. */
const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;

/** Identifies this page. `crypto.randomUUID` needs https. */
export const pageId = Math.random().toString(36).slice(2) + Date.now().toString(36);

let counter = 0;

/** Makes an id that no other page or process makes. */
export const newId = (): string => `${pageId}-${(counter += 1)}`;

let announced = false;

/** Says to other pages that this one lives. The browser takes it back when the page ends. */
export function announcePage(): void {
  if (announced) return;
  announced = true;
  void locks?.request(`${NAME} ${pageId}`, () => new Promise(() => undefined));
}

/** Runs while no other page does the same. @param work gets the ids of the pages that live */
export async function withLivingPages<T>(work: (pages: Set<string>) => Promise<T>): Promise<T> {
  if (!locks) return work(new Set());
  return locks.request(RESTORING, async () => {
    const { held = [] } = await locks.query();
    const ids = held.map(({ name = '' }) => name.slice(NAME.length + 1));
    return work(new Set(ids));
  });
}
