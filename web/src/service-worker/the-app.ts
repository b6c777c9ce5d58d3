/** Paths of the services and of the mailbox: pages there are not the app's. */
export const NOT_THE_APP = [/^\/(_mail|auth|rest|storage|realtime|functions)(\/|$)/, /\.\w+$/]
