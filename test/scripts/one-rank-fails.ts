// Rank 1 fails while rank 0 waits for it.  --ours: with an error from the library
import { barrier, rank, zeros } from 'trenio';

barrier();
if (rank() === 1) {
  if (process.argv.includes('--ours')) zeros([3, 5]).add(zeros([3, 4]));
  else throw new RangeError('an error of the script');
}
barrier();
