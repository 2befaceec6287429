/** The type of every command of the program. */

/** Runs a command. @throws UsageError, ConfigError, or an error with a message for the operator */
export type Run = (args: string[]) => Promise<void>;

export interface Command {
  summary: string;
  load(): Promise<Run>;
}
