import { connectionContract } from './connection-contract.js';
import { fileServerRemote } from './remotes.js';

connectionContract('self hosted file server', fileServerRemote);
