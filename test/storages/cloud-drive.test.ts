import { connectionContract } from './connection-contract.js';
import { cloudDriveRemote } from './remotes.js';

connectionContract('cloud drive', cloudDriveRemote);
