/** The storage asked to wait for so long that the synchronisation begins again after it. */
export class Postponed extends Error {
  constructor(readonly ms: number) {
    super(`The storage asked to wait for ${Math.ceil(ms / 1000)} s.`);
    this.name = 'Postponed';
  }
}
