/** Which database the tests of this process are about; a file for each, as the runner takes no more than names of files. */
export function testOn(DATABASE: 'sqlite' | 'postgres' | 'none'): void {
  Object.assign(globalThis, { DATABASE });
}
