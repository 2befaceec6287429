/** The type of every command of the program. */

/** What every command line can have. Names of options are in camel case: `--dry-run` is `dryRun`. */
interface Options {
  json?: true;
}

/**
 * Runs a command.
 * @param args undefined for an argument that is left out
 * @throws UsageError, ConfigError, or an error with a message for the operator
 */
export type Run<Own extends object = object> = (
  options: Options & Own,
  ...args: (string | undefined)[]
) => Promise<void>;

export interface Described {
  summary: string;
  example: string;
  /** Descriptions by flags, such as `--login <login>`. */
  required?: { readonly [flags: string]: string };
  options?: { readonly [flags: string]: string };
  load(): Promise<Run<never>>;
}
