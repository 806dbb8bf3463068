export { type ClassifierDeployment, type Deployment, type DeployOptions, deploy, deployModel } from './deploy.ts';
export { EndpointServer, type ServerOptions } from './endpoint-server.ts';
