// A user error: 5 input features for a layer that takes 4.
import { nn, zeros } from 'trenio';

const layer = new nn.Linear(4, 2);
const epoch = () => layer.forward(zeros([3, 5]));
epoch();
