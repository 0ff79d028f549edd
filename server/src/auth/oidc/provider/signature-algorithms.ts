/** Signatures with a key that only the provider has: never `none`, never the client's secret. What the library accepts. */
export const signatureAlgorithms: readonly string[] =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA ML-DSA-44 ML-DSA-65 ML-DSA-87'.split(' ')
