export { type Deployment, type DeployOptions, deploy, deployClassifier } from './deploy.ts';
export { EndpointServer, type ServerOptions } from './endpoint-server.ts';
