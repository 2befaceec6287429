/** The two dialects of the interface as a table of values (decisions 1). */
export interface Profile {
  name: 'standard' | 'openproject';
  /** Vendor word of every URN on output. */
  urnWord: string;
  /** Status of add and create attachment (C1). */
  createdStatus: 200 | 201;
  /** Several violations in one 422 answer as `MultipleErrors` instead of the first one (C28). */
  multipleErrors: boolean;
  /** Default of `DIGEST_ALGORITHM`. */
  digestAlgorithm: 'sha256' | 'md5';
}

export const profiles: Record<Profile['name'], Profile> = {
  standard: { name: 'standard', urnWord: 'service-org', createdStatus: 200, multipleErrors: false, digestAlgorithm: 'sha256' },
  openproject: { name: 'openproject', urnWord: 'openproject-org', createdStatus: 201, multipleErrors: true, digestAlgorithm: 'md5' },
};
