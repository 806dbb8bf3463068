// Whether a tower of CLIP alone projects its vector: only the class in its configuration tells.

/** `CLIPTextModelWithProjection`, `CLIPVisionModelWithProjection`. */
export const isProjected = ({ architectures }: { readonly [field: string]: unknown }): boolean =>
  Array.isArray(architectures) && architectures.some(name => String(name).endsWith('WithProjection'));
