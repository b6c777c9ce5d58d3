/** The display name. scripts/product-name.test.ts checks the files that cannot import this one. */
export const PRODUCT_NAME = 'Rally'

/** The id of the native apps, also the scheme of links into them. */
export const APP_ID = 'com.example.rally'
