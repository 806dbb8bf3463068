// A user's mistake: features of size 5 for a layer that takes 4.
import { nn, zeros } from 'trenio';

const layer = new nn.Linear(4, 2);
const epoch = () => layer.forward(zeros([3, 5]));
epoch();
