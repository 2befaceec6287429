import { testOn } from './index.js';

testOn('sqlite');
