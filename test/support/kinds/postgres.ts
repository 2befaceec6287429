import { testOn } from './index.js';

testOn('postgres');
