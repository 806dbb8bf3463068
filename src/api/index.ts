export { type ClassifierDeployment, type Deployment, type DeployOptions, deploy, deployModel } from './deploy.ts';
