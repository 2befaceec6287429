export function licencesOf(root: string, files: readonly string[]): string;
