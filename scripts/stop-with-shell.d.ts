export function ownShell(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean;
export function stopWithShell(stop: () => void): void;
