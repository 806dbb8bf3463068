// The process that runs one attempt of a training job on a cluster. Like runner-main.ts of src/jobs, which runs it on this
// machine.
//
//   node slurm-runner-main.ts '{"data": …}' '{"root": folder of clusters, "cluster": name}'
import { z } from 'zod';
import { runJob } from '../../jobs/run-job.ts';
import { findCluster } from '../cluster-folder.ts';
import { planCluster } from '../cluster-plan.ts';
import { parseConfig } from '../config/parse-config.ts';
import { SlurmHosts } from './slurm-hosts.ts';

const { root, cluster } = z
  .strictObject({ root: z.string(), cluster: z.string() })
  .parse(JSON.parse(process.argv[3] ?? ''));
const { folder } = findCluster(root, cluster);
const { file } = parseConfig(folder.config(), cluster);
if (file === undefined) throw new Error(`the configuration of the cluster ${cluster} is not valid`);
await runJob(process.argv[2] ?? '', new SlurmHosts(folder.conf, planCluster(cluster, file)));
