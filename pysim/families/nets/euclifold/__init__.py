"""EucliFold: contrastive pairs of statements about cubes with arrows and their nets.

After "EucliFold: Probing 3D Euclidean Prior in VLMs via Cognitively-Stratified Folding Tasks"
(anonymous authors, under review); its sections and appendices are named where they are followed.
The wording is Luban's own.
"""
