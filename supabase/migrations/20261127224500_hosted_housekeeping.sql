-- What is deleted every night can be called with the secret key: a hosted project's shop has no other connection to its database.

select private.expose('forget_old_orders', 'service_role');
select private.expose('forget_old_tickets', 'service_role');
select private.expose('forget_old_registrations', 'service_role');
select private.expose('forget_old_consultations', 'service_role');
