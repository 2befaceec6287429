import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';

export enum CheckStatus {
  ok = 'ok',
  failed = 'failed',
  skipped = 'skipped',
}
registerEnumType(CheckStatus, {
  name: 'StorageCheckStatus',
  description: 'Outcome of a check.',
  valuesConfig: {
    ok: { description: 'As it should be.' },
    failed: { description: 'Something is to be done.' },
    skipped: {
      description: 'There was nothing to check, or a check that this one needs did not succeed.',
    },
  },
});

@ObjectType({ description: 'One check of a storage.', simpleResolvers: true })
export class StorageCheck {
  @Field(() => String, {
    description: 'What is checked, stable: e.g. `host`, `companion_app`, `client_secret`.',
  })
  check!: string;

  @Field(() => String, {
    description:
      'What was found, stable. That of a check that succeeded or was skipped is its name; that of a failed one begins with it, e.g. `companion_app_missing`.',
  })
  code!: string;

  @Field(() => CheckStatus, { description: 'The outcome.' })
  status!: CheckStatus;

  @Field(() => String, { description: 'What was found and what to do, for people.' })
  hint!: string;
}

@ObjectType({ description: 'Whether a storage works, asked of it now.', simpleResolvers: true })
export class StorageHealth {
  @Field(() => [StorageCheck], {
    description: 'The checks in their order: each builds on those before.',
  })
  checks!: StorageCheck[];

  @Field(() => DateTime, { description: 'When they ended.' })
  checkedAt!: string;
}
