import { testOn } from './index.js';

testOn('none');
