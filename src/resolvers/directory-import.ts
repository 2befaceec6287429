/** The import of a directory file in the graph, for administrators. */
import { Field, Int, ObjectType } from 'type-graphql';
import { importFile } from '../actions/people/administration/import-file.js';
import { MAX_BAD_ROWS, MAX_DIRECTORY_BYTES, MAX_DIRECTORY_PASSWORDS } from '../contract/limits.js';
import { withCommas } from '../contract/words.js';
import { byDefault, mutation } from './mutation.js';
import { ADMINS } from './schema-phrases.js';
import { UploadScalar } from './upload-scalar.js';

@ObjectType({ description: 'Rows of one list of a directory file.', simpleResolvers: true })
class DirectoryChange {
  @Field(() => String, { description: 'Name of the list in the file, such as `users`.' })
  list!: string;

  @Field(() => Int, { description: 'Number of rows.' })
  count!: number;

  @Field(() => [String], {
    description: 'The first 20 of them: logins, names, identifiers or references. Some have none.',
  })
  examples!: string[];
}

@ObjectType({ description: 'A row of a directory file that is wrong.', simpleResolvers: true })
class DirectoryError {
  @Field(() => String, {
    description: 'Its place in the file, such as `users[3].login`. Empty for the whole file.',
  })
  path!: string;

  @Field(() => String, { description: 'What is wrong.' })
  message!: string;
}

export const directoryImportMutations = [
  mutation('importDirectory', {
    description:
      'Imports people, roles, projects, members and containers from a directory file: all rows, ' +
      'or nothing if one is wrong. It can be repeated: rows that exist are changed. ' +
      `Errors: ${ADMINS}; PROPERTY_CONSTRAINT_VIOLATION for a file that is too large or has too ` +
      'many passwords, and if no administrator would be left who can sign in; UPDATE_CONFLICT if ' +
      'something in the file was deleted at the same time; SERVICE_UNAVAILABLE if too many ' +
      'uploads run at the same time.',
    argument: 'The file.',
    about: 'A directory file to import.',
    input: {
      file: [
        UploadScalar,
        `The file, JSON of at most ${withCommas(MAX_DIRECTORY_BYTES)} bytes with at most ` +
          `${MAX_DIRECTORY_PASSWORDS} passwords, as a part of the multipart request.`,
      ],
      dryRun: byDefault(false, Boolean, 'Whether only to tell what would change.'),
    },
    payload: {
      added: [[DirectoryChange], 'Rows that are new.'],
      changed: [[DirectoryChange], 'Rows that exist and differ.'],
      ended: [
        [DirectoryChange],
        'Memberships that the file ends with `"roles": []`, and people whom it locks.',
      ],
      errors: [
        [DirectoryError],
        `What is wrong in the file, at most ${withCommas(MAX_BAD_ROWS)}. Then nothing is imported.`,
      ],
      errorCount: [Int, 'Number of all errors.'],
    },
    run: ({ file, dryRun }, context) => importFile(context, file, dryRun),
  }),
];
