/** The display name. Files that cannot read this one are held to it by scripts/product-name.test.ts. */
export const PRODUCT_NAME = 'Rally'

/** The id of the native apps, which is also the scheme of links into them. */
export const APP_ID = 'com.example.rally'
