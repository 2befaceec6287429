/** Sets the database of the tests in this process. Each has a file, because the runner accepts only file names. */
export function testOn(DATABASE: 'sqlite' | 'postgres' | 'none'): void {
  Object.assign(globalThis, { DATABASE });
}
