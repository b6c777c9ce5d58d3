/** The display name. Nothing else in the code spells it. */
export const PRODUCT_NAME = 'Rally'
