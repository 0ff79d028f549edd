/** Architectures of Debian that packages are built for, with npm's names of them. */
export const architectures = { amd64: 'x64', arm64: 'arm64' } as const

export type Architecture = keyof typeof architectures

export const isArchitecture = (name: string): name is Architecture => Object.hasOwn(architectures, name)
