/** What fields of the graph cost, in plain fields. A document may select 100,000 of them. */
export const fieldWeights = {
  /** Text is rendered. */
  rendered: 20,
  /** Rows are counted. */
  counted: 20,
  /** An address at the object store is signed. */
  signed: 100,
  /** A list of many rows is searched, filtered or sorted. */
  searched: 1_000,
  /** All files, or all linked files, are searched or sorted. It takes up to 60 ms of processor time. */
  filesSearched: 10_000,
  /** All notifications of the caller are marked. */
  marked: 15_000,
  /** A password is checked, and another one is hashed. It takes about 0.1 s of processor time. */
  passwordChanged: 40_000,
  /** A storage is asked for one file. */
  asked: 20,
  /** A storage is asked several times. */
  askedForMany: 500,
  /** A request to a storage for one field of one row. It takes about 2.5 ms of processor time. */
  request: 1_000,
  /** A folder is listed. The answer of the storage can have 32 MiB. */
  listed: 10_000,
} as const;
