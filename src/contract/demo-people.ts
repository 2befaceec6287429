/** The people of the demo directory. */
export const demoPeople = [
  { login: 'ada', firstName: 'Ada', lastName: 'Admin', email: 'ada@example.test', admin: true },
  { login: 'mia', firstName: 'Mia', lastName: 'Member', email: 'mia@example.test' },
  { login: 'rob', firstName: 'Rob', lastName: 'Reader', email: 'rob@example.test' },
];
